import type { Peg } from '../registry/chains.ts'
import { findChain, findToken, originsFor } from '../registry/index.ts'

/** The quote is refused; the message says why, for the caller. */
export class QuoteError extends Error {
  override name = 'QuoteError'
  /** What Fastify answers with. */
  readonly statusCode = 400
}

/** The body of a fee call, once its types are right. */
export interface QuoteRequest {
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
  amount: string | number
}

/** The input of a quote. */
export interface Route {
  originChain: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  /** In the origin token's smallest unit. */
  amount: bigint
  /** Of the origin token. */
  decimals: number
  peggedTo: Peg
}

/**
 * The route of a request.
 * @throws QuoteError for chains, tokens or amounts that are unknown or do not fit together
 */
export function resolveRoute(request: QuoteRequest): Route {
  const origin = tokenOf('origin', request.originChain, request.originSymbol)
  const target = tokenOf('target', request.targetChain, request.targetSymbol)
  if (!originsFor(request.targetChain).includes(request.originChain)) {
    throw new QuoteError(`there are no transfers from ${request.originChain} to ${request.targetChain}`)
  }
  if (origin.peggedTo !== target.peggedTo) {
    throw new QuoteError(
      `${request.originSymbol} and ${request.targetSymbol} do not follow the same currency`
    )
  }
  if (request.originAddress === '' && request.originChain !== 'FIAT')
    throw new QuoteError('originAddress is empty')
  const decimals = Number(origin.decimals)
  return {
    originChain: request.originChain,
    originSymbol: request.originSymbol,
    targetChain: request.targetChain,
    targetAddress: request.targetAddress,
    amount: parseAmount(String(request.amount), decimals),
    decimals,
    peggedTo: origin.peggedTo
  }
}

function tokenOf(side: 'origin' | 'target', shortName: string, symbol: string) {
  const chain = findChain(shortName)
  if (chain === undefined) throw new QuoteError(`${side}Chain ${shortName} is not supported`)
  const token = findToken(chain, symbol)
  if (token === undefined) throw new QuoteError(`${side}Symbol ${symbol} is not supported on ${shortName}`)
  return token
}

/** Reads a decimal in whole tokens exactly, without floats. */
function parseAmount(text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d{1,40})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw new QuoteError('amount is not a decimal number')
  if (fraction.length > decimals) throw new QuoteError(`amount has more than ${decimals} fraction digits`)
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (amount === 0n) throw new QuoteError('amount must be above zero')
  return amount
}
