import { type Static, Type } from '@sinclair/typebox'
import { decimals } from './leaves.ts'
import { requestBody, smallestUnits, submitFields } from './submit.ts'
import { transferExample } from './submit-examples.ts'

/** Body of a transfer, in version 1.5 or 1.4 (interface 6.3, 6.4). */
export const TransferBody = requestBody('TransferRequest', 'Transfer request', transferExample, {
  ...submitFields,
  amount: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Number()], {
      description:
        'Version 1.5: the quote’s submitAmount, in the smallest unit, as digits or a safe integer. ' +
        'With `submitAmount` (version 1.4): the amount of the fee request in whole tokens, for information only; not smaller.',
      examples: [transferExample.amount]
    })
  ),
  submitAmount: Type.Optional(
    smallestUnits({
      description:
        'Version 1.4: the quote’s submitAmount, which is transferred instead of `amount`. Rejected with SERVICE_MIN_VERSION=1.5'
    })
  ),
  fee: Type.Optional(
    smallestUnits({
      description:
        'Total fee in the smallest unit; required without `submitAmount`. With it, the fee defaults to the amount ' +
        'in `message` minus the submitAmount',
      examples: [transferExample.fee]
    })
  ),
  decimals: decimals({ description: 'Decimals of the origin token, as in the quote' })
})
export type TransferBody = Static<typeof TransferBody>
