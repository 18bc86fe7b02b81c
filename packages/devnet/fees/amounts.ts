import { Decimal } from '@cosmjs/math'
import { prices, USD_DECIMALS } from './prices.ts'
import type { QuoteToken } from './route.ts'

/** Converts a cost in millionths of a US dollar to the token's smallest unit, rounded up. */
export function tokensFor(cost: bigint, { decimals, peggedTo }: QuoteToken): bigint {
  return divideUp(cost * 10n ** BigInt(decimals), prices[peggedTo])
}

/** Converts an amount to the same value in another token's smallest unit, rounded down. */
export function converted(amount: bigint, from: QuoteToken, to: QuoteToken): bigint {
  const value = amount * prices[from.peggedTo] * 10n ** BigInt(to.decimals)
  return value / (prices[to.peggedTo] * 10n ** BigInt(from.decimals))
}

/** Converts an amount in the smallest unit to a decimal string in whole tokens. */
export function wholeTokens(value: bigint, { decimals }: QuoteToken): string {
  return Decimal.fromAtomics(String(value), decimals).toString()
}

/** Converts millionths of a US dollar to dollars. */
export function usdNumber(millionths: bigint): number {
  return Number(Decimal.fromAtomics(String(millionths), USD_DECIMALS).toString())
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
