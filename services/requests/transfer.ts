import { Value } from '@sinclair/typebox/value'
import { positiveDecimal } from '../../schemas/leaves.ts'
import { SmallestUnits } from '../../schemas/submit.ts'
import type { TransferBody } from '../../schemas/transfer.ts'
import { compareAmounts, exactAmount, plainDecimal, subtractAmounts, wholeText } from '../amounts.ts'
import { readApprovalMessage } from '../approvals/message.ts'
import { fieldError } from '../errors/index.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import { messageOf } from './options.ts'
import { type RequestedAmounts, refuseZero } from './request.ts'

const WholeTokens = positiveDecimal()

/**
 * Parses the amounts of a transfer in the format of version 1.5 or 1.4 (interface 6.3, 6.4).
 * @throws ServiceError VALIDATION with the field
 */
export function transferAmounts(
  body: TransferBody
): RequestedAmounts<Pick<MsgRequestTransaction, 'amount' | 'fee'>> {
  const { decimals } = body
  const { field, units } = submitted(body)
  refuseZero(field, units)
  const amount = wholeText({ units, decimals })
  if (field === 'submitAmount') refuseSmallerAmount(body, amount)
  const fee =
    body.fee === undefined ? approvedFee(body, amount) : wholeText({ units: BigInt(body.fee), decimals })
  const claimed = { value: decimals, field: 'decimals' }
  return {
    claimed: { origin: { field, whole: amount, decimals: claimed, assumed: false }, target: undefined },
    fields: { amount, fee }
  }
}

/** Returns the submitted amount and its field. A request with `submitAmount` is in the format of version 1.4. */
function submitted({ amount, submitAmount, fee }: TransferBody) {
  if (submitAmount !== undefined) return { field: 'submitAmount', units: BigInt(submitAmount) }
  if (amount === undefined) throw fieldError('amount', 'is required')
  if (fee === undefined) throw fieldError('fee', 'is required')
  if (!Value.Check(SmallestUnits, amount)) {
    const problem = 'must be an integer in the smallest unit, as a string of digits or a safe number'
    throw fieldError('amount', problem)
  }
  return { field: 'amount', units: BigInt(amount) }
}

/**
 * Rejects an `amount` that is smaller than `submitAmount`: version 1.4 of the widget sends the amount of its fee request
 * there, in whole tokens (interface 6.32).
 */
function refuseSmallerAmount({ amount }: TransferBody, submitted: string): void {
  if (amount === undefined) return
  const text = String(amount)
  if (!Value.Check(WholeTokens, text)) {
    throw fieldError('amount', 'must be the amount of the fee request, in whole tokens, or be omitted')
  }
  if (compareAmounts(exactAmount(plainDecimal(text)), exactAmount(submitted)) < 0) {
    throw fieldError('amount', `must be at least the submitAmount of ${submitted} whole tokens, not ${text}`)
  }
}

/**
 * Computes the fee of a request without the field: the allowance in the signed message minus the submitted amount, or 0
 * without such a message (interface 6.32).
 */
function approvedFee(body: TransferBody, submitted: string): string {
  const allowance = readApprovalMessage(messageOf(body))?.amount
  if (allowance === undefined) return '0'
  const amount = exactAmount(submitted)
  return compareAmounts(allowance, amount) < 0 ? '0' : wholeText(subtractAmounts(allowance, amount))
}
