import { addAmounts, type ExactAmount } from '../amounts.ts'
import { isObject } from '../json.ts'
import type { QuoteAmount, QuoteTerms } from './contract.ts'
import { type Quote, readAmount, type TokenDecimals } from './format.ts'

/** The maximum length of a message, as in a submission. */
const MAX_MESSAGE = 2048

const DEFAULT_LIFETIME_MS = 15 * 60 * 1000

/** The latest time of a Date. */
const LATEST = 8.64e15

/** Numbers in `expiration` from this one on are milliseconds, smaller ones seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

/**
 * @param tokens decimals for amounts that do not specify their own (interface 5.20)
 * @returns undefined for a quote that cannot be compared: without fees, or with unknown decimals (interface 5.28)
 */
export function termsOf(
  ends: Pick<QuoteTerms, 'origin' | 'target' | 'paymentMethod'>,
  quote: Quote,
  tokens: TokenDecimals,
  now: number
): QuoteTerms | undefined {
  const { feeId, expiration, swapInfo, transactionValues } = quote
  const inOrigin = quote.decimals ?? tokens.origin
  const fee = totalFee(quote, inOrigin)
  const sides: Partial<Pick<QuoteTerms, 'feeFromOrigin' | 'feeFromTarget'>> = {}
  for (const name of ['feeFromOrigin', 'feeFromTarget'] as const) {
    const side = transactionValues[name]
    if (side === undefined) continue
    const allowanceAmount = counted(side.allowanceAmount, inOrigin)
    const submitAmount = counted(side.submitAmount, inOrigin)
    if (allowanceAmount === undefined || submitAmount === undefined) return undefined
    const { message = '' } = side
    sides[name] = { allowanceAmount, submitAmount, ...(message.length <= MAX_MESSAGE && { message }) }
  }
  const out = isObject(swapInfo) ? swapInfo['amountOutBigInt'] : undefined
  const isSwap = BigInt(readAmount(out)?.value ?? 0) > 0n
  const amountOut = isSwap ? counted(out, tokens.target) : undefined
  if (fee === undefined || (isSwap && amountOut === undefined)) return undefined
  return {
    feeId,
    expiresAt: readExpiration(expiration) ?? now + DEFAULT_LIFETIME_MS,
    ...ends,
    fee,
    ...sides,
    ...(amountOut && { amountOut })
  }
}

export function exactOf({ value, decimals }: QuoteAmount): ExactAmount {
  return { units: BigInt(value), decimals }
}

/** Returns the total fee. Some fee services omit it or set it to zero. Then it is the sum of its parts. */
function totalFee(quote: Quote, fallback: number | undefined): QuoteAmount | undefined {
  const total = counted(quote['feeTotalBigInt'], fallback)
  if (total !== undefined && BigInt(total.value) > 0n) return total
  const parts = Object.keys(quote)
    .filter(name => /^fee.+BigInt$/.test(name) && name !== 'feeTotalBigInt')
    .map(name => counted(quote[name], fallback))
  if (parts.length === 0) return total
  let sum = { units: 0n, decimals: 0 }
  for (const part of parts) {
    if (part === undefined) return undefined
    sum = addAmounts(sum, exactOf(part))
  }
  return { value: String(sum.units), decimals: sum.decimals }
}

function counted(amount: unknown, fallback: number | undefined): QuoteAmount | undefined {
  const { value, decimals = fallback } = readAmount(amount) ?? {}
  return value === undefined || decimals === undefined ? undefined : { value, decimals }
}

/** Parses a date, or seconds or milliseconds since the epoch, as a string or number. Zero means no expiration. */
function readExpiration(expiration: unknown): number | undefined {
  if (typeof expiration !== 'string' && typeof expiration !== 'number') return undefined
  const number = Number(expiration)
  const time = Number.isNaN(number)
    ? Date.parse(String(expiration))
    : number * (number < FIRST_MILLISECONDS ? 1000 : 1)
  return time > 0 ? Math.min(Math.trunc(time), LATEST) : undefined
}
