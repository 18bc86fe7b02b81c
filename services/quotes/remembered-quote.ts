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
import { type Amount, readAmount } from './amounts.ts'
import type { Quote, TokenDecimals } from './format.ts'

/** Digits in the smallest unit of a token, and how many of them are decimals. */
const RememberedAmount = Type.Object({ value: digitString(), decimals: decimals() })
type RememberedAmount = Static<typeof RememberedAmount>

/** As long as the message of a submission can be. */
const MAX_MESSAGE = 2048

const RememberedSide = Type.Object({
  submitAmount: RememberedAmount,
  message: Type.Optional(Type.String({ maxLength: MAX_MESSAGE }))
})

const end = (chainAddress: ReturnType<typeof address>) =>
  Type.Object({ chain: chainName(), address: chainAddress, symbol: tokenSymbol() })

/** What a user agrees to with a quote (interface 5.23), as it is kept in memory and in the data directory. */
export const RememberedQuote = Type.Object({
  feeId: feeId(),
  /** Who asked with an API key, and alone may submit it (interface 24.5). */
  caller: Type.Optional(Type.String()),
  /** Milliseconds since the epoch. */
  expiresAt: Type.Integer(),
  /** A rail is `FIAT` without an address. */
  origin: end(originAddress('Empty for a rail')),
  target: end(address()),
  fee: RememberedAmount,
  feeFromOrigin: Type.Optional(RememberedSide),
  feeFromTarget: Type.Optional(RememberedSide),
  /** What arrives, in the target token; of a swap alone. */
  amountOut: Type.Optional(RememberedAmount),
  /** It has expired, and a new one costs more: no submission with it is accepted any more (interface 5.31). */
  isRefused: Type.Optional(Type.Boolean())
})
export type RememberedQuote = Static<typeof RememberedQuote>

/** How long a quote holds that does not say when it ends. */
const DEFAULT_LIFETIME_MS = 15 * 60 * 1000

/** Above this, a number in `expiration` counts milliseconds, below it seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

/**
 * What a quote of the fee service says about who pays how much to whom.
 * @param tokens the decimals of amounts that name none (interface 5.20)
 * @returns undefined for a quote without fees, or with an amount whose decimals nobody knows: it cannot be compared (interface 5.28)
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
    const submitAmount = counted(readAmount(side.submitAmount), inOrigin)
    if (submitAmount === undefined) return undefined
    const { message = '' } = side
    sides[name] = { submitAmount, ...(message.length <= MAX_MESSAGE && { message }) }
  }
  const out =
    isObject(swapInfo) && 'amountOutBigInt' in swapInfo ? readAmount(swapInfo.amountOutBigInt) : undefined
  const isSwap = out !== undefined && BigInt(out.value) > 0n
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

/** The total; the sum of the parts where the total is zero or missing. */
function totalFee(quote: Quote, unnamed: number | undefined): RememberedAmount | undefined {
  const total = counted(readAmount(quote['feeTotalBigInt']), unnamed)
  if (total !== undefined && BigInt(total.value) > 0n) return total
  const parts = Object.keys(quote)
    .filter(name => /^fee.+BigInt$/.test(name) && name !== 'feeTotalBigInt')
    .map(name => counted(readAmount(quote[name]), unnamed))
  if (parts.length === 0) return total
  let sum = { units: 0n, decimals: 0 }
  for (const part of parts) {
    if (part === undefined) return undefined
    sum = addAmounts(sum, exactOf(part))
  }
  return { value: String(sum.units), decimals: sum.decimals }
}

function counted(amount: Amount | undefined, unnamed: number | undefined): RememberedAmount | undefined {
  const { value, decimals = unnamed } = amount ?? {}
  return value === undefined || decimals === undefined ? undefined : { value, decimals }
}

/**
 * A date as text, or a number of seconds or milliseconds since the epoch. Zero, in either form, is how some fee services
 * write that there is none.
 */
function readExpiration(expiration: unknown): number | undefined {
  if (typeof expiration !== 'string' && typeof expiration !== 'number') return undefined
  const number = expiration === '' ? Number.NaN : Number(expiration)
  const time = Number.isNaN(number)
    ? Date.parse(String(expiration))
    : number * (number < FIRST_MILLISECONDS ? 1000 : 1)
  return Number.isFinite(time) && time > 0 ? Math.trunc(time) : undefined
}
