import { QuotedAmount } from '../../schemas/fee-quote.ts'
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
  if (to >= from) return String(BigInt(value) * 10n ** BigInt(to - from))
  const divisor = 10n ** BigInt(from - to)
  const rest = BigInt(value) % divisor
  if (rest > 0n && rounding === 'exact') return undefined
  return String(BigInt(value) / divisor + (rest > 0n ? 1n : 0n))
}
