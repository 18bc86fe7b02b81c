import { exactAmount, unitsAt } from '../../amounts.ts'
import type { Clock } from '../../clock.ts'

export interface FeePolicy {
  /** Returns base units: ceil(gas × price), or more, in proportion to the fee that a node last required. */
  feeFor(gasLimit: number): bigint
  /**
   * Records that a node requires `fee` base units for this gas limit.
   * @returns false, with no effect, if the fee exceeds the highest allowed fee
   */
  raise(fee: bigint, gasLimit: number): boolean
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

/**
 * Reads the required fee in base units of `denom` from the message of an `insufficient fee` error (sdk 13), the only
 * field that contains it.
 */
export function requiredFee(log: string, denom: string): bigint | undefined {
  const required = /required: ([^\s:]*?),?(?:[\s:]|$)/.exec(log)?.[1]
  for (const coin of required?.split(',') ?? []) {
    const [, amount, unit] = /^(\d+)(\D.*)$/.exec(coin) ?? []
    if (amount !== undefined && unit === denom) return BigInt(amount)
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

  function feeFor(gasLimit: number): bigint {
    const configured = configuredFee(gasLimit)
    if (clock.elapsed() > required.until) return configured
    const inProportion = ceilDiv(BigInt(gasLimit) * required.fee, required.gasLimit)
    // The required fee was rounded up to a whole unit, which matters most for small transactions.
    return smaller(highestFee(gasLimit), larger(configured, inProportion))
  }

  return {
    feeFor,
    raise(fee, gasLimit) {
      const configured = configuredFee(gasLimit)
      const most = highestFee(gasLimit)
      if (fee > most) return false
      const present = feeFor(gasLimit)
      if (fee <= present) return true
      // Every raise after the first is at least 50 %, so that a node that keeps requiring slightly more cannot make the
      // wallet sign many transactions.
      const next = present > configured ? ceilDiv(present * 3n, 2n) : fee
      const raised = smaller(most, larger(fee, next))
      required = { fee: raised, gasLimit: BigInt(gasLimit), until: clock.elapsed() + RAISED_PRICE_MS }
      return true
    }
  }
}
