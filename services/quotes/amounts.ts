import { QuotedAmount } from '../../schemas/fee-quote.ts'
import { unitsAt } from '../exact-amount.ts'
import { checkFor } from '../schema-check.ts'

const known = checkFor(QuotedAmount)

/** An amount of a quote: digits in the smallest unit, and the decimals where the fee service named them. */
export interface Amount {
  value: string
  decimals: number | undefined
}

/** @returns undefined for what is neither digits nor `{ value, decimals }` */
export function readAmount(amount: unknown): Amount | undefined {
  if (!known.Check(amount)) return undefined
  if (typeof amount === 'string') return { value: amount, decimals: undefined }
  return { value: String(amount.value), decimals: amount.decimals }
}

/**
 * The same amount in other decimals, digits in and out.
 * @param rounding `up` rounds what is finer than the decimals can say; `exact` does not
 * @returns undefined when `exact` is impossible
 */
export function rescale(
  value: string,
  from: number,
  to: number,
  rounding: 'up' | 'exact'
): string | undefined {
  const { floor, ceiling } = unitsAt({ units: BigInt(value), decimals: from }, to)
  return rounding === 'exact' && floor !== ceiling ? undefined : String(ceiling)
}
