import { exactAmount, unitsAt } from '../../amounts.ts'
import type { RequiredPrices } from '../../chain-client/contract.ts'

/** A fee that nodes required for a transaction. Other transactions offer the same price for ten minutes. */
export interface RequiredFee {
  fee: bigint
  gasLimit: number
  /** On the monotonic clock. */
  until: number
}

/** The highest fee, as a multiple of the fee at the configured price (interface 17.8). */
const MAX_PRICE_FACTOR = 5n

/** The maximum gas of a transaction, per message and in total, whatever nodes report (interface 17.6). */
const MAX_MESSAGE_GAS = 2_000_000
export const MAX_TRANSACTION_GAS = 25_000_000

/** The gas limit of a transaction, as a multiple of its estimated gas. */
const GAS_MARGIN = 1.5

/** The price of gas. */
export interface Prices {
  /** Base units per unit of gas, as a decimal string (interface 17.7). */
  gasPrice: string
  required: RequiredFee | undefined
  /** On the monotonic clock. */
  now: number
}

const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/** Returns exactly ceil(amount × factor). `factor` is a decimal string. */
export function multiplyUp(amount: bigint, factor: string): bigint {
  const { units, decimals } = exactAmount(factor)
  return unitsAt({ units: amount * units, decimals }, 0).ceiling
}

/** The gas of about 100,000 transfers. */
const DAILY_GAS = 10n ** 10n

/** Returns the default daily limit in base units (interface 17.10); undefined if gas costs nothing. */
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

/** Thousands separators. Commas also separate several coins. */
const THOUSANDS = /(?<=^|,)\d{1,3}(?:,\d{3})+(?!\d)/g

/**
 * Reads the required fee for a gas limit, in base units of `denom`, from the log of a node that refuses the fee. An
 * amount without a denomination counts as well.
 */
export function requiredFee(log: string, denom: string, gasLimit: number): bigint | undefined {
  const price = REQUIRED_PRICE.exec(log)?.[1]
  const text = price ?? REQUIRED_FEES.map(pattern => pattern.exec(log)?.[1]).find(Boolean) ?? ''
  const coins = text.replace(THOUSANDS, digits => digits.replaceAll(',', ''))
  for (const coin of coins.split(',')) {
    const [, amount, unit = denom] = /^(\d{1,78}(?:\.\d{1,18})?)([a-zA-Z].*)?$/.exec(coin) ?? []
    if (amount !== undefined && unit === denom)
      return multiplyUp(price === undefined ? 1n : BigInt(gasLimit), amount)
  }
  return undefined
}

/** How long a required fee is paid before the configured price is tried again. */
const RAISED_PRICE_MS = 600_000

export function rememberFee(fee: bigint, gasLimit: number, now: number): RequiredFee {
  return { fee, gasLimit, until: now + RAISED_PRICE_MS }
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b)
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
const halfMore = (fee: bigint) => ceilDiv(fee * 3n, 2n)

const configuredFee = (gasLimit: number, { gasPrice }: Prices) => multiplyUp(BigInt(gasLimit), gasPrice)

const highestFee = (gasLimit: number, prices: Prices) => MAX_PRICE_FACTOR * configuredFee(gasLimit, prices)

/** Returns base units: ceil(gas × price), or more, in proportion to the fee that nodes last required. */
export function feeFor(gasLimit: number, prices: Prices): bigint {
  const { required, now } = prices
  const configured = configuredFee(gasLimit, prices)
  if (!required || now > required.until) return configured
  const inProportion = ceilDiv(BigInt(gasLimit) * required.fee, BigInt(required.gasLimit))
  // The required fee was rounded up to a whole unit, which matters most for small transactions.
  return smaller(highestFee(gasLimit, prices), larger(configured, inProportion))
}

/**
 * Returns the fee to offer after nodes have refused the fee `present`; undefined if it would exceed the highest allowed
 * fee.
 * @param options.required the fee that the nodes require; undefined if they state none
 */
export function raisedFee(
  { required: fee, present, gasLimit }: { required: bigint | undefined; present: bigint; gasLimit: number },
  prices: Prices
): bigint | undefined {
  const most = highestFee(gasLimit, prices)
  const usual = feeFor(gasLimit, prices)
  if (fee === undefined) {
    const refused = larger(usual, present)
    return refused < most ? smaller(most, halfMore(refused)) : undefined
  }
  if (fee <= usual) return usual
  if (fee > most) return undefined
  // Every raise after the first is at least 50 %, so that a node that keeps requiring slightly more cannot make the
  // wallet sign many transactions.
  const isFirst = usual === configuredFee(gasLimit, prices)
  return smaller(most, isFirst ? fee : larger(fee, halfMore(usual)))
}

/** Returns the maximum gas limit of a transaction with this many messages. */
export const gasCap = (messages: number): number => Math.min(MAX_MESSAGE_GAS * messages, MAX_TRANSACTION_GAS)

/**
 * Returns the gas limit of a transaction.
 * @param gasUsed its estimated gas
 * @param failures how often its first message has failed in a block: each may have been due to too little gas
 */
export const gasLimitFor = (gasUsed: number, failures = 0): number =>
  Math.ceil(gasUsed * GAS_MARGIN) * 2 ** Math.min(failures, 2)

/** Fees of one UTC day, in base units. */
interface DayFees {
  paid: bigint
  /** The most that the open slots can still cost. */
  inOpenSlots: bigint
  added: bigint
}

/** Returns the reason if one more signature could exceed the daily limit (interface 17.10), otherwise undefined. */
export function limitReason(fees: DayFees, limit: bigint): string | undefined {
  const { paid, inOpenSlots, added } = fees
  if (paid + inOpenSlots + added <= limit) return undefined
  const amounts = Object.entries({ ...fees, limit }).map(([name, amount]) => `${name} ${amount}`)
  return `SERVICE_DAILY_FEE_LIMIT is reached: ${amounts.join(', ')}`
}

/** With this much gas, different prices give different fees: prices have up to 18 decimals. */
const DENSE_GAS = 10n ** 18n

/** Formats prices as nodes do, such as `0.025utoken,0.1uother`. */
export const listPrices = ({ prices }: RequiredPrices): string =>
  prices.map(({ amount, denom }) => `${amount}${denom}`).join(',')

/**
 * Compares the configured price with the prices that a node requires. `raised`: every fee must be raised immediately,
 * and the limit allows it. `refused`: no allowed fee is accepted.
 */
export function priceVerdict(
  { prices, areAll }: RequiredPrices,
  { feeDenom, gasPrice }: { feeDenom: string; gasPrice: string }
): 'accepted' | 'raised' | 'refused' {
  const positive = prices.filter(({ amount }) => Number(amount) > 0)
  const [own] = positive.filter(({ denom }) => denom === feeDenom)
  if (!own) return areAll && positive.length > 0 ? 'refused' : 'accepted'
  const [required, offered] = [own.amount, gasPrice].map(price => multiplyUp(DENSE_GAS, price))
  if (required === undefined || offered === undefined || required <= offered) return 'accepted'
  return required <= MAX_PRICE_FACTOR * offered ? 'raised' : 'refused'
}
