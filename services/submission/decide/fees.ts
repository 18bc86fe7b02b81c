import { exactAmount, unitsAt } from '../../amounts.ts'
import type { Clock } from '../../clock.ts'

export interface FeePolicy {
  /** Returns base units: ceil(gas × price), or more, in proportion to the fee that a node last required. */
  feeFor(gasLimit: number): bigint
  /**
   * Returns the fee to offer after a node has refused `present`; undefined if it would exceed the highest allowed one.
   * @param options.required the fee that the node requires; undefined if it names none
   */
  raised(options: { required: bigint | undefined; present: bigint; gasLimit: number }): bigint | undefined
  /** Records the fee that is offered for this gas limit, so that other transactions offer the same price. */
  pay(fee: bigint, gasLimit: number): void
}

const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/** Returns exactly ceil(amount × factor). `factor` is a decimal string. */
export function multiplyUp(amount: bigint, factor: string): bigint {
  const { units, decimals } = exactAmount(factor)
  return unitsAt({ units: amount * units, decimals }, 0).ceiling
}

/** The gas of about 100,000 transfers. */
const DAILY_GAS = 10n ** 10n

/** In base units (interface 17.10); undefined if gas costs nothing. */
export function defaultDailyFeeLimit(gasPrice: string): string | undefined {
  const limit = multiplyUp(DAILY_GAS, gasPrice)
  return limit > 0n ? String(limit) : undefined
}

/** The only part of a refusal that contains the required gas price, or the required fee. */
const REQUIRED_PRICE = /^gas prices too low, got: \S* required: (\S+?)\.?(?:\s|$)/
const REQUIRED_FEES = [
  /^provided fee < minimum global fee \(\S* < ([^\s)]+)\)/,
  /required at least: ([^\s:]+)/,
  /required: ([^\s:]*?),?(?:[\s:]|$)/
]

/**
 * Reads the required fee for a gas limit, in base units of `denom`, from the log of a node that refuses the fee. An
 * amount without a denomination counts as well.
 */
export function requiredFee(log: string, denom: string, gasLimit: number): bigint | undefined {
  const price = REQUIRED_PRICE.exec(log)?.[1]
  const coins = price ?? REQUIRED_FEES.map(pattern => pattern.exec(log)?.[1]).find(Boolean) ?? ''
  for (const coin of coins.split(',')) {
    const [, amount, unit = denom] = /^(\d{1,78}(?:\.\d{1,18})?)([a-zA-Z].*)?$/.exec(coin) ?? []
    if (amount !== undefined && unit === denom)
      return multiplyUp(price === undefined ? 1n : BigInt(gasLimit), amount)
  }
  return undefined
}

/** How long a required fee is paid before the configured price is tried again. */
const RAISED_PRICE_MS = 600_000

/**
 * Calculates the fees that the wallet pays for gas.
 * @param options.gasPrice base units per gas, a decimal string (interface 17.7)
 * @param options.maxPriceFactor the highest fee, as a multiple of the fee at that price (interface 17.8)
 */
export function createFeePolicy(
  { gasPrice, maxPriceFactor }: { gasPrice: string; maxPriceFactor: number },
  clock: Clock
): FeePolicy {
  let required = { fee: 0n, gasLimit: 1n, until: 0 }
  const configuredFee = (gasLimit: number) => multiplyUp(BigInt(gasLimit), gasPrice)
  const highestFee = (gasLimit: number) => BigInt(maxPriceFactor) * configuredFee(gasLimit)
  const larger = (a: bigint, b: bigint) => (a > b ? a : b)
  const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
  const halfMore = (fee: bigint) => ceilDiv(fee * 3n, 2n)

  function feeFor(gasLimit: number): bigint {
    const configured = configuredFee(gasLimit)
    if (clock.elapsed() > required.until) return configured
    const inProportion = ceilDiv(BigInt(gasLimit) * required.fee, required.gasLimit)
    // The required fee was rounded up to a whole unit, which matters most for small transactions.
    return smaller(highestFee(gasLimit), larger(configured, inProportion))
  }

  return {
    feeFor,
    raised({ required: fee, present, gasLimit }) {
      const most = highestFee(gasLimit)
      const usual = feeFor(gasLimit)
      if (fee === undefined) {
        const refused = larger(usual, present)
        return refused < most ? smaller(most, halfMore(refused)) : undefined
      }
      if (fee <= usual) return usual
      if (fee > most) return undefined
      // Every raise after the first is at least 50 %, so that a node that keeps requiring slightly more cannot make the
      // wallet sign many transactions.
      const isFirst = usual === configuredFee(gasLimit)
      return smaller(most, isFirst ? fee : larger(fee, halfMore(usual)))
    },
    pay(fee, gasLimit) {
      required = { fee, gasLimit: BigInt(gasLimit), until: clock.elapsed() + RAISED_PRICE_MS }
    }
  }
}
