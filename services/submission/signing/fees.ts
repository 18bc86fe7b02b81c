import type { Clock } from '../runtime/clock.ts'

/** A non-negative decimal as an exact fraction: `digits / 10 ** scale`. */
interface Decimal {
  digits: bigint
  scale: bigint
}

function parseDecimal(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) }
}

const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/** @returns ceil(amount × factor), exactly; `factor` is a decimal string */
export function multiplyUp(amount: bigint, factor: string): bigint {
  const { digits, scale } = parseDecimal(factor)
  return ceilDiv(amount * digits, scale)
}

/**
 * Reads the fee that a node asks for from the text of `insufficient fee` (sdk 13), the only place that names it.
 * @returns base units of `denom`, undefined when the text names no such amount
 */
export function requiredFee(log: string, denom: string): bigint | undefined {
  const required = /required: (\S*?)(?::|$)/.exec(log)?.[1]
  for (const coin of required?.split(',') ?? []) {
    const [, amount, unit] = /^(\d+)(.*)$/.exec(coin) ?? []
    if (amount !== undefined && unit === denom) return BigInt(amount)
  }
  return undefined
}

/** How long more than the own price is paid because a node asked for it; then it is asked again. */
const LATELY_MS = 600_000

/** A node that asks for more than this many times the own price is mistaken, or means to empty the wallet. */
const MOST_TIMES = 100n

/** What the wallet pays for gas. */
export interface FeePolicy {
  /** @returns the fee in base units: ceil(gas × price), and no less than a node lately asked for */
  feeFor(gasLimit: number): bigint
  /**
   * A node asks for `fee` base units for this gas limit.
   * @returns false when that is more than the wallet pays without its owner; nothing has changed then
   */
  raise(fee: bigint, gasLimit: number): boolean
}

/** @param gasPrice base units per gas, a decimal string (contract §2, SERVICE_GAS_PRICE) */
export function createFeePolicy(gasPrice: string, clock: Clock): FeePolicy {
  let asked = { fee: 0n, gasLimit: 1n, until: 0 }
  const ownFee = (gasLimit: number) => multiplyUp(BigInt(gasLimit), gasPrice)
  return {
    feeFor(gasLimit) {
      const own = ownFee(gasLimit)
      if (clock.now() > asked.until) return own
      const least = ceilDiv(BigInt(gasLimit) * asked.fee, asked.gasLimit)
      return own > least ? own : least
    },
    raise(fee, gasLimit) {
      if (fee > MOST_TIMES * ownFee(gasLimit)) return false
      asked = { fee, gasLimit: BigInt(gasLimit), until: clock.now() + LATELY_MS }
      return true
    }
  }
}
