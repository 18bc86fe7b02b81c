import { Decimal } from '@cosmjs/math'
import type { Coin } from '../modules/bank/coins.ts'
import { genesisDenoms } from './genesis.ts'
import type { ChainOptions } from './options.ts'

const FRACTION_DIGITS = 18
const ONE = 10n ** BigInt(FRACTION_DIGITS)

/** The minimum gas price in one denomination, in 10^-18 of its base unit. */
export interface MinGasPrice {
  denom: string
  price: bigint
}

/** The prices that CheckTx requires. @throws Error when the option is not a decimal of at most 18 fraction digits */
export function minGasPrices(options: ChainOptions): MinGasPrice[] {
  const price = BigInt(Decimal.fromUserInput(options.minGasPrice, FRACTION_DIGITS).atomics)
  if (price === 0n) return []
  const denoms = options.feeDenom === undefined ? genesisDenoms(options.genesis) : [options.feeDenom]
  return denoms.map(denom => ({ denom, price }))
}

/** The minimum fee for `gasLimit` in each denomination, rounded up. One of them suffices. */
export function requiredFees(prices: readonly MinGasPrice[], gasLimit: bigint): Coin[] {
  return prices.map(({ denom, price }) => ({ denom, amount: (price * gasLimit + ONE - 1n) / ONE }))
}
