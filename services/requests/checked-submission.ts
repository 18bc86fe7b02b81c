import { canonicalAddress } from '../addresses/canonical.ts'
import { exactAmount, unitsAt } from '../amounts.ts'
import type { CheckedSubmission, SubmittedAmount, SubmittedEnd } from '../custom-validation/types.ts'
import type { RequestedSubmission, RouteEnd } from './request.ts'

/**
 * Builds the submission for an integrator's validation (interface 12.7).
 * @param decimals the decimals of the two tokens
 */
export function checkedSubmission(
  { feeId, route, fee }: Pick<RequestedSubmission<unknown>, 'feeId' | 'route' | 'fee'>,
  decimals: { origin: number; target: number },
  { quote, approval }: Pick<CheckedSubmission, 'quote' | 'approval'>
): CheckedSubmission {
  const { origin, target } = route
  const amountOut = target.amount && amountOf(target.amount.whole, decimals.target)
  return {
    kind: amountOut ? 'swap' : 'transfer',
    feeId,
    origin: { ...endOf(origin), amount: amountOf(origin.amount.whole, decimals.origin) },
    target: { ...endOf(target), amount: amountOut },
    fee: amountOf(fee, decimals.origin),
    quote,
    approval
  }
}

function endOf({ chain, address, symbol }: RouteEnd): SubmittedEnd {
  return { chain, address: canonicalAddress(address), symbol }
}

function amountOf(text: string, decimals: number): SubmittedAmount {
  return { units: unitsAt(exactAmount(text), decimals).ceiling, decimals, text }
}
