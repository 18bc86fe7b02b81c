import { Value } from '@sinclair/typebox/value'
import { SmallestUnits } from '../../schemas/submit.ts'
import type { TransferBody } from '../../schemas/transfer.ts'
import { refuseZero, toWholeTokens } from '../amounts.ts'
import { fieldError } from '../errors/field-error.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import type { RequestedAmounts } from './request.ts'

/**
 * The amounts of a transfer, of version 1.5 or 1.4 (interface 6.3, 6.4).
 * @throws ServiceError VALIDATION naming the field
 */
export function transferAmounts(
  body: TransferBody
): RequestedAmounts<Pick<MsgRequestTransaction, 'amount' | 'fee'>> {
  const { decimals } = body
  const { field, amount, fee } = smallestUnits(body)
  refuseZero(field, amount)
  const whole = toWholeTokens(amount, decimals, field)
  return {
    claimed: {
      origin: { whole, decimals: { value: decimals, field: 'decimals' }, assumed: false },
      target: undefined
    },
    fields: { amount: whole, fee: toWholeTokens(fee, decimals, 'fee') }
  }
}

/** A `submitAmount` marks version 1.4, whose `amount` is in whole tokens and does not count. */
function smallestUnits(body: TransferBody): { field: string; amount: string; fee: string } {
  const { amount, submitAmount, fee } = body
  if (submitAmount !== undefined) {
    return { field: 'submitAmount', amount: String(submitAmount), fee: String(fee ?? 0) }
  }
  if (amount === undefined) throw fieldError('amount', 'is required')
  if (fee === undefined) throw fieldError('fee', 'is required')
  if (!Value.Check(SmallestUnits, amount)) {
    throw fieldError('amount', 'must be in the smallest unit, as digits or a safe integer')
  }
  return { field: 'amount', amount: String(amount), fee: String(fee) }
}
