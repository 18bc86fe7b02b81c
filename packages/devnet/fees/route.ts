import { type Static, Type } from '@sinclair/typebox'
import type { Peg } from '../registry/chains.ts'
import { findChain, findToken, originsFor } from '../registry/index.ts'

/** The quote is refused; the message tells the caller why. */
export class QuoteError extends Error {
  override name = 'QuoteError'
  /** Fastify responds with this status. */
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
  /** In whole tokens. */
  amount: Type.Union([Type.String(), Type.Number()]),
  deductFee: Type.Optional(Type.Boolean())
}

const Options = Type.Object({ paymentMethod: Type.Optional(text) })

/** The body of a quote request in v2. */
export const QuoteRequest = Type.Object(fields)

/** The body of a quote request in v3. `peggedTo` is the currency that the origin token's price follows. */
export const QuoteRequestV3 = Type.Object({
  ...fields,
  peggedTo: text,
  options: Type.Optional(Options)
})

/** A token at one end of a transfer or swap. */
export interface QuoteToken {
  chain: string
  symbol: string
  decimals: number
  peggedTo: Peg
}

/** The input of a quote. */
export interface Route {
  origin: QuoteToken
  target: QuoteToken
  targetAddress: string
  /** In the origin token's smallest unit. */
  amount: bigint
  options: Static<typeof Options>
}

/**
 * The route of a request.
 * @throws QuoteError for chains, tokens or amounts that are unknown or incompatible
 */
export function resolveRoute(
  request: Static<typeof QuoteRequest> & Partial<Static<typeof QuoteRequestV3>>
): Route {
  const { originChain, originSymbol, targetChain, targetAddress, peggedTo, options = {} } = request
  const origin = tokenOf('origin', originChain, originSymbol)
  const target = tokenOf('target', targetChain, request.targetSymbol)
  if (!originsFor(targetChain).includes(originChain)) {
    throw new QuoteError(`there are no transfers from ${originChain} to ${targetChain}`)
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

/** Reads a number as JSON writes it, in whole tokens, exactly: without floats, so `1e-7` is a ten-millionth. */
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
