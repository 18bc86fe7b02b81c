import { Decimal } from '@cosmjs/math'

const FRACTION_DIGITS = 18
const ONE = 10n ** BigInt(FRACTION_DIGITS)

/** A gas price in 10^-18 of a base unit. @throws Error for anything but a decimal with at most 18 fraction digits */
export const atomicPrice = (price: string): bigint =>
  BigInt(Decimal.fromUserInput(price, FRACTION_DIGITS).atomics)

/** The minimum fee for `gasLimit` at an atomic price, rounded up. */
export const requiredFee = (price: bigint, gasLimit: bigint): bigint => (price * gasLimit + ONE - 1n) / ONE
