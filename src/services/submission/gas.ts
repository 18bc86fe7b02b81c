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
  const coin = required?.split(',').find(part => part.replace(/^\d+/, '') === denom)
  return coin ? BigInt(coin.slice(0, -denom.length)) : undefined
}

/** What the wallet pays for gas. */
export interface FeePolicy {
  /** @returns the fee in base units: ceil(gas × price), and no less than a node lately asked for */
  feeFor(gasLimit: number): bigint
  /** Notes that a node asked for `fee` base units for this gas limit. */
  raise(fee: bigint, gasLimit: number): void
}

/** @param gasPrice base units per gas, a decimal string (contract §2, SERVICE_GAS_PRICE) */
export function createFeePolicy(gasPrice: string): FeePolicy {
  let asked = { fee: 0n, gasLimit: 1n }
  return {
    feeFor(gasLimit) {
      const own = multiplyUp(BigInt(gasLimit), gasPrice)
      const least = ceilDiv(BigInt(gasLimit) * asked.fee, asked.gasLimit)
      return own > least ? own : least
    },
    raise(fee, gasLimit) {
      asked = { fee, gasLimit: BigInt(gasLimit) }
    }
  }
}
