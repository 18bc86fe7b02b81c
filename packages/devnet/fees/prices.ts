import type { Peg } from '../registry/chains.ts'

/** Decimals of prices and gas costs, which are integers in millionths of a US dollar. */
export const USD_DECIMALS = 6

/** The price of one token by peg. Fixed, so that quotes are reproducible. */
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
