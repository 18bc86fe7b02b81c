import { exactAmount, unitsAt } from '../exact-amount.ts'
import type { RememberedQuote } from '../quotes/remembered-quote.ts'
import type { Approval } from './approval-check.ts'
import type { RequestedSubmission, RouteEnd } from './request.ts'

/** An amount of a token, exactly. */
export interface SubmittedAmount {
  /** In the token's smallest unit, whatever decimals the request has. A fee that is finer than this is rounded up. */
  units: bigint
  /** The token's. */
  decimals: number
  /** Whole tokens as a decimal string, as the chain gets them. */
  text: string
}

interface SubmittedEnd {
  /** Short name; for a rail `CC` or `BANK`. */
  chain: string
  /** Empty for a rail. */
  address: string
  symbol: string
}

/** A submission as an integrator's validation gets it: what the chain would get, after the checks before it. */
export interface CheckedSubmission {
  kind: 'transfer' | 'swap'
  feeId: string
  origin: SubmittedEnd & { amount: SubmittedAmount }
  /** The amount is that of a swap, in the target's token; undefined for a transfer. */
  target: SubmittedEnd & { amount: SubmittedAmount | undefined }
  /** In the origin's token. */
  fee: SubmittedAmount
  /** The quote, with which the submission agrees; undefined when it is not known. */
  quote: RememberedQuote | undefined
  approval: Approval
}

/** @param decimals those of the two tokens */
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
  return { chain, address, symbol }
}

function amountOf(text: string, decimals: number): SubmittedAmount {
  return { units: unitsAt(exactAmount(text), decimals).ceiling, decimals, text }
}
