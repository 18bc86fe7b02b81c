import { Decimal } from '@cosmjs/math'
import { prices, USD_DECIMALS } from './prices.ts'
import type { QuoteToken } from './route.ts'

/** A cost in millionths of a US dollar in the token's smallest unit, rounded up. */
export function tokensFor(cost: bigint, { decimals, peggedTo }: QuoteToken): bigint {
  return divideUp(cost * 10n ** BigInt(decimals), prices[peggedTo])
}

/** An amount of one token in the smallest unit of another of the same value, rounded down. */
export function converted(amount: bigint, from: QuoteToken, to: QuoteToken): bigint {
  const value = amount * prices[from.peggedTo] * 10n ** BigInt(to.decimals)
  return value / (prices[to.peggedTo] * 10n ** BigInt(from.decimals))
}

/** An amount in the smallest unit as a decimal of whole tokens. */
export function wholeTokens(value: bigint, { decimals }: QuoteToken): string {
  return Decimal.fromAtomics(String(value), decimals).toString()
}

/** Millionths of a US dollar as a number of dollars, for display. */
export function usdNumber(millionths: bigint): number {
  return Number(Decimal.fromAtomics(String(millionths), USD_DECIMALS).toString())
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
