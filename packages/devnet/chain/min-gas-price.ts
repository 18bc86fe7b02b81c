import { Decimal } from '@cosmjs/math'

const FRACTION_DIGITS = 18
const ONE = 10n ** BigInt(FRACTION_DIGITS)

/** Converts a gas price to 10^-18 base units. @throws Error unless it is a decimal with at most 18 fraction digits */
export const atomicPrice = (price: string): bigint =>
  BigInt(Decimal.fromUserInput(price, FRACTION_DIGITS).atomics)

/** Computes the minimum fee for `gasLimit`, rounded up. `price` is in 10^-18 base units. */
export const requiredFee = (price: bigint, gasLimit: bigint): bigint => (price * gasLimit + ONE - 1n) / ONE
