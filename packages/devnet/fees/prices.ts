import { Decimal } from '@cosmjs/math'
import type { Peg } from '../registry/chains.ts'
import type { QuoteToken } from './route.ts'

/** The price of one token by peg, like all costs in millionths of a US dollar. Fixed, so that quotes are reproducible. */
export const prices: Record<Peg, bigint> = {
  USD: 1_000_000n,
  EUR: 1_080_000n,
  BTC: 60_000_000_000n,
  ETH: 3_000_000_000n,
  SOL: 150_000_000n
}

export const gasCosts: Record<string, bigint> = {
  ARB: 20_000n,
  AVX: 30_000n,
  BASE: 15_000n,
  BERA: 15_000n,
  BSC: 80_000n,
  BTC: 450_000n,
  CFX: 10_000n,
  ETH: 350_000n,
  FIAT: 0n,
  OPT: 15_000n,
  POL: 12_500n,
  SOL: 5_000n,
  TRX: 250_000n,
  WLD: 10_000n
}

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

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
