import { type Amount, sum } from './amounts.ts'
import { ask, type Context, isRecord } from './ask.ts'
import { ClientError } from './errors.ts'
import type { operations } from './openapi.ts'

/** The transfer to quote. `amount` is a decimal string in whole tokens. */
export type QuoteRequest = operations['getFees']['parameters']['query']

/** The service's response to a quote request, in either format (interface 5.17). */
export type QuoteResponse = operations['getFees']['responses'][200]['content']['application/json']

type ResponseSide = NonNullable<QuoteResponse['transactionValues']['feeFromOrigin']>

/** The allowance, message and amount to submit if the user pays the fees on this side (interface 5.11). */
export interface QuoteSide {
  allowanceAmount: Amount
  submitAmount: Amount
  message: string
}

/** A fee quote (interface 5.8), independent of response format and brand. */
export interface Quote {
  /** The quoted request. */
  request: QuoteRequest
  feeId: string
  fees: {
    originGas?: Amount
    processing?: Amount
    targetGas?: Amount
    swap?: Amount
    total: Amount
  }
  /** The total fee in US dollars, for display. */
  totalFeeUsd?: number
  peggedTo?: string
  /** When the quote expires, if the response contains a time. */
  expiresAt?: Date
  /** The values to submit if the fees are added to the amount, so that the requested amount arrives. */
  feeFromOrigin?: QuoteSide
  /** The values to submit if the fees are deducted from the amount that arrives. Not available for swaps. */
  feeFromTarget?: QuoteSide
  /** For a swap, the amount that arrives. */
  swap?: { amountOut: Amount; dex?: string }
  /** Fields to copy into the submission's `options`, for fiat transfers. */
  options: Record<string, unknown>
}

export type SideName = 'feeFromOrigin' | 'feeFromTarget'

/** @throws RangeError when the quote does not have this side */
export function sideOf(quote: Quote, side: SideName): QuoteSide {
  const values = quote[side]
  if (values === undefined) throw new RangeError(`The quote has no ${side}`)
  return values
}

/** See `Client.quote`. */
export async function requestQuote(
  context: Context,
  request: QuoteRequest,
  signal: AbortSignal | undefined
): Promise<Quote> {
  // The caller might change the object before submitting the quote.
  const query = { ...request }
  const response = await ask(context, signal, (api, signal) =>
    api.GET('/submit/fees', { params: { query }, signal })
  )
  try {
    return readQuote(query, response, await decimalsOf(context, query, response, signal))
  } catch (error) {
    if (error instanceof ClientError) throw error
    throw new ClientError('The quote has missing or invalid fields', { code: 'UNREADABLE' }, { cause: error })
  }
}

type Decimals = Record<'origin' | 'target', number>

/**
 * Returns the decimals of a quote's digit strings. The quote contains them, except for a swap's output. That amount is
 * in the target token (interface 5.19), whose decimals come from `GET /chains`.
 */
async function decimalsOf(
  context: Context,
  { originChain, originSymbol, targetChain, targetSymbol }: QuoteRequest,
  { decimals, swapInfo }: QuoteResponse,
  signal: AbortSignal | undefined
): Promise<Decimals> {
  const isSwap = typeof swapInfo?.amountOutBigInt === 'string'
  if (decimals !== undefined && !isSwap) return { origin: decimals, target: decimals }
  const chains = await ask(context, signal, (api, signal) => api.GET('/chains', { signal }))
  const find = (chain: string, symbol: string) =>
    chains
      .find(({ shortName }) => shortName === chain)
      ?.supportedTokens.find(token => token.symbol === symbol)?.decimals
  return {
    origin: decimals ?? find(originChain, originSymbol) ?? Number.NaN,
    target: find(targetChain, targetSymbol) ?? Number.NaN
  }
}

/** @throws Error when a field is missing or invalid */
function readQuote(request: QuoteRequest, response: QuoteResponse, decimals: Decimals): Quote {
  const { feeId, transactionValues, totalFeeUsd, peggedTo, options = {}, swapInfo } = response
  const amount = (field: unknown) => readAmount(field, decimals.origin)
  // The field name of the processing fee contains the brand (interface 2.3).
  const processing = Object.keys(response).find(name => /^fee.+ProcessingBigInt$/.test(name))
  const fees = {
    ...(response.feeOriginGasBigInt && { originGas: amount(response.feeOriginGasBigInt) }),
    ...(processing && { processing: amount(response[processing]) }),
    ...(response.feeTargetGasBigInt && { targetGas: amount(response.feeTargetGasBigInt) }),
    ...(response.feeSwapBigInt && { swap: amount(response.feeSwapBigInt) })
  }
  const total = response.feeTotalBigInt && amount(response.feeTotalBigInt)
  const { feeFromOrigin, feeFromTarget } = transactionValues
  const side = ({ allowanceAmount, submitAmount, message = '' }: ResponseSide) => ({
    allowanceAmount: amount(allowanceAmount),
    submitAmount: amount(submitAmount),
    message
  })
  const expiresAt = readTime(response.expiration)
  return {
    request,
    feeId,
    // Some fee services send a total of zero along with the individual fees (interface 5.27).
    fees: { ...fees, total: total && total.value !== '0' ? total : sum(Object.values(fees)) },
    ...(totalFeeUsd !== undefined && { totalFeeUsd }),
    ...(peggedTo !== undefined && { peggedTo }),
    ...(expiresAt && { expiresAt }),
    ...(feeFromOrigin && { feeFromOrigin: side(feeFromOrigin) }),
    ...(feeFromTarget && { feeFromTarget: side(feeFromTarget) }),
    ...(swapInfo?.amountOutBigInt && {
      swap: {
        amountOut: readAmount(swapInfo.amountOutBigInt, decimals.target),
        ...(swapInfo.dex !== undefined && { dex: swapInfo.dex })
      }
    }),
    options
  }
}

function readAmount(field: unknown, decimals: number): Amount {
  const amount = isRecord(field) ? field : { value: field, decimals }
  const value = String(amount['value'])
  if (!/^\d{1,78}$/.test(value) || !Number.isInteger(amount['decimals']))
    throw new TypeError('invalid amount')
  return { value, decimals: Number(amount['decimals']) }
}

/**
 * Parses a date string, or a number of seconds or milliseconds since the epoch. Ignores zero and times before 1970
 * (interface 5.36).
 */
function readTime(expiration: string | number | undefined): Date | undefined {
  const number = Number(expiration)
  const ms = Number.isNaN(number) ? Date.parse(String(expiration)) : number < 1e11 ? number * 1000 : number
  return ms > 0 ? new Date(ms) : undefined
}
