import { type Static, Type } from '@sinclair/typebox'
import type { Peg } from '../registry/chains.ts'
import { findChain, findToken, originsFor } from '../registry/index.ts'

/** A rejected quote request. The caller receives the message. */
export class QuoteError extends Error {
  override name = 'QuoteError'
  readonly statusCode = 400
}

const text = Type.String({ minLength: 1 })

const fields = {
  creator: text,
  originChain: text,
  originAddress: Type.String(),
  originSymbol: text,
  targetChain: text,
  targetAddress: text,
  targetSymbol: text,
  /** The amount in whole tokens. */
  amount: Type.Union([Type.String(), Type.Number()]),
  deductFee: Type.Optional(Type.Boolean())
}

const Options = Type.Object({ paymentMethod: Type.Optional(text) })

export const QuoteRequest = Type.Object(fields)

/** `peggedTo` is the currency that the origin token is pegged to. */
export const QuoteRequestV3 = Type.Object({
  ...fields,
  peggedTo: text,
  options: Type.Optional(Options)
})

export interface QuoteToken {
  chain: string
  symbol: string
  decimals: number
  peggedTo: Peg
}

export interface Route {
  origin: QuoteToken
  target: QuoteToken
  targetAddress: string
  /** The amount in the origin token's smallest unit. */
  amount: bigint
  options: Static<typeof Options>
}

/** @throws QuoteError if a chain or token is unknown, the route is not supported, or another value is invalid */
export function resolveRoute(
  request: Static<typeof QuoteRequest> & Partial<Static<typeof QuoteRequestV3>>
): Route {
  const { originChain, originSymbol, targetChain, targetAddress, peggedTo, options = {} } = request
  const origin = tokenOf('origin', originChain, originSymbol)
  const target = tokenOf('target', targetChain, request.targetSymbol)
  if (!originsFor(targetChain).includes(originChain)) {
    throw new QuoteError(`transfers from ${originChain} to ${targetChain} are not supported`)
  }
  if (request.originAddress === '' && originChain !== 'FIAT') throw new QuoteError('originAddress is empty')
  if (peggedTo !== undefined && peggedTo !== origin.peggedTo) {
    throw new QuoteError(`peggedTo is ${peggedTo}, but ${originSymbol} is pegged to ${origin.peggedTo}`)
  }
  const amount = parseAmount(String(request.amount), origin.decimals)
  return { origin, target, targetAddress, amount, options }
}

function tokenOf(side: 'origin' | 'target', shortName: string, symbol: string): QuoteToken {
  const chain = findChain(shortName)
  if (chain === undefined) throw new QuoteError(`${side}Chain ${shortName} is not supported`)
  const token = findToken(chain, symbol)
  if (token === undefined) throw new QuoteError(`${side}Symbol ${symbol} is not supported on ${shortName}`)
  return { chain: shortName, symbol, decimals: Number(token.decimals), peggedTo: token.peggedTo }
}

/** Converts an amount in whole tokens to the smallest unit, exactly. Accepts JSON number syntax such as `1e-7`. */
function parseAmount(text: string, decimals: number): bigint {
  const parts = /^(\d{1,40})(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i.exec(text)
  const [, whole, fraction = '', exponent = '0'] = parts ?? []
  if (whole === undefined) throw new QuoteError('amount is not a decimal number')
  const missingZeros = decimals - fraction.length + Number(exponent)
  if (missingZeros < 0) throw new QuoteError(`amount has more than ${decimals} fraction digits`)
  const amount = BigInt(whole + fraction) * 10n ** BigInt(missingZeros)
  if (amount === 0n) throw new QuoteError('amount must be above zero')
  return amount
}
