import { type Static, Type } from '@sinclair/typebox'
import {
  address,
  chainName,
  decimals,
  digitString,
  feeId,
  originAddress,
  tokenSymbol
} from '../../schemas/leaves.ts'
import { addAmounts, type ExactAmount } from '../amounts.ts'
import { isObject } from '../json.ts'
import { type Quote, readAmount, type TokenDecimals } from './format.ts'

/** Digits in a token's smallest unit, and the token's decimals. */
const RememberedAmount = Type.Object({ value: digitString(), decimals: decimals() })
type RememberedAmount = Static<typeof RememberedAmount>

/** The same limit as in a submission. */
const MAX_MESSAGE = 2048

const RememberedSide = Type.Object({
  submitAmount: RememberedAmount,
  message: Type.Optional(Type.String({ maxLength: MAX_MESSAGE }))
})

const end = (chainAddress: ReturnType<typeof address>) =>
  Type.Object({ chain: chainName(), address: chainAddress, symbol: tokenSymbol() })

/** The terms of a quote that a user agrees to (interface 5.23), as stored in memory and in the data directory. */
export const RememberedQuote = Type.Object({
  feeId: feeId(),
  /** The caller that requested the quote with an API key. Only this caller may submit the quote (interface 24.5). */
  caller: Type.Optional(Type.String()),
  /** Milliseconds since the epoch. */
  expiresAt: Type.Integer(),
  /** A fiat rail is stored as `FIAT` with an empty address. */
  origin: end(originAddress('Empty for a rail')),
  target: end(address()),
  fee: RememberedAmount,
  feeFromOrigin: Type.Optional(RememberedSide),
  feeFromTarget: Type.Optional(RememberedSide),
  /** The output of a swap, in the target token; undefined for a transfer. */
  amountOut: Type.Optional(RememberedAmount),
  /** The quote has expired and a new quote costs more, so submissions are no longer accepted (interface 5.31). */
  isRefused: Type.Optional(Type.Boolean())
})
export type RememberedQuote = Static<typeof RememberedQuote>

const DEFAULT_LIFETIME_MS = 15 * 60 * 1000

/** Smaller numbers in `expiration` are seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

/**
 * @param tokens decimals for amounts that do not specify their own (interface 5.20)
 * @returns undefined for a quote that cannot be compared: without fees, or with unknown decimals (interface 5.28)
 */
export function rememberedQuote(
  ends: Pick<RememberedQuote, 'origin' | 'target'>,
  quote: Quote,
  tokens: TokenDecimals,
  now: number
): RememberedQuote | undefined {
  const { feeId, expiration, swapInfo, transactionValues } = quote
  const inOrigin = quote.decimals ?? tokens.origin
  const fee = totalFee(quote, inOrigin)
  const sides: Partial<Pick<RememberedQuote, 'feeFromOrigin' | 'feeFromTarget'>> = {}
  for (const name of ['feeFromOrigin', 'feeFromTarget'] as const) {
    const side = transactionValues[name]
    if (side === undefined) continue
    const submitAmount = counted(side.submitAmount, inOrigin)
    if (submitAmount === undefined) return undefined
    const { message = '' } = side
    sides[name] = { submitAmount, ...(message.length <= MAX_MESSAGE && { message }) }
  }
  const out = isObject(swapInfo) && 'amountOutBigInt' in swapInfo ? swapInfo.amountOutBigInt : undefined
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

export function exactOf({ value, decimals }: RememberedAmount): ExactAmount {
  return { units: BigInt(value), decimals }
}

/** Some fee services omit the total or set it to zero. Then it is the sum of its parts. */
function totalFee(quote: Quote, fallback: number | undefined): RememberedAmount | undefined {
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

function counted(amount: unknown, fallback: number | undefined): RememberedAmount | undefined {
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
  return Number.isFinite(time) && time > 0 ? Math.trunc(time) : undefined
}
