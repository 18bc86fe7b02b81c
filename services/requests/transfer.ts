import { Value } from '@sinclair/typebox/value'
import { SmallestUnits } from '../../schemas/submit.ts'
import type { TransferBody } from '../../schemas/transfer.ts'
import { refuseZero, toWholeTokens } from '../amounts.ts'
import { fieldError } from '../errors/field-error.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import { type Prepared, prepareRequest, type Wallet } from './request.ts'

/**
 * The chain's message for a transfer (contract §3, Submit).
 * @throws ServiceError VALIDATION or OPTIONS_INVALID, naming the field
 */
export function prepareTransfer(body: TransferBody, wallet: Wallet): Prepared<MsgRequestTransaction> {
  const { decimals } = body
  const { field, amount, fee } = smallestUnits(body)
  refuseZero(field, amount)
  const { message, ...rest } = prepareRequest(body, wallet, {
    origin: { value: decimals, field: 'decimals' }
  })
  return {
    ...rest,
    message: {
      ...message,
      amount: toWholeTokens(amount, decimals, field),
      fee: toWholeTokens(fee, decimals, 'fee')
    }
  }
}

/** `submitAmount` makes it the 1.4 form: its `amount` is in whole tokens then and does not count. */
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
