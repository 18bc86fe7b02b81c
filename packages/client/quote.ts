import { type Amount, sum } from './amounts.ts'
import { ask, isRecord } from './ask.ts'
import type { Context } from './context.ts'
import { ClientError } from './errors.ts'
import type { operations } from './openapi.ts'

/** What to transfer: `amount` in whole tokens, as a decimal text. */
export type QuoteRequest = operations['getFees']['parameters']['query']

/** A quote as the service answers it, in either of its forms (interface 5.17). */
export type QuoteAnswer = operations['getFees']['responses'][200]['content']['application/json']

type AnsweredSide = NonNullable<QuoteAnswer['transactionValues']['feeFromOrigin']>

/** What to approve, to sign and to submit, when the fees are paid at one end (interface 5.11). */
export interface QuoteSide {
  allowanceAmount: Amount
  submitAmount: Amount
  message: string
}

/** A fee quote (interface 5.8), the same for both answer formats and for every brand. */
export interface Quote {
  /** What was asked for. */
  request: QuoteRequest
  feeId: string
  fees: {
    originGas?: Amount
    processing?: Amount
    targetGas?: Amount
    swap?: Amount
    total: Amount
  }
  /** For display. */
  totalFeeUsd?: number
  peggedTo?: string
  /** When the quote ends, where the service says so. */
  expiresAt?: Date
  /** The user pays the fees on top: the requested amount arrives. */
  feeFromOrigin?: QuoteSide
  /** The fees are taken from what arrives. A swap has no such side. */
  feeFromTarget?: QuoteSide
  /** For a swap, what arrives. */
  swap?: { amountOut: Amount; dex?: string }
  /** For a rail, what goes into the options of the submission. */
  options: Record<string, unknown>
}

/**
 * Asks for a quote.
 * @throws ClientError for instance QUOTE_REFUSED, with the fee service's words as its message
 */
export async function requestQuote(
  context: Context,
  request: QuoteRequest,
  signal: AbortSignal | undefined
): Promise<Quote> {
  const { api, timing } = context
  // The caller's object may be a form that changes before the quote is submitted.
  const asked = { ...request }
  const answer = await ask(timing, signal, signal =>
    api.GET('/submit/fees', { params: { query: asked }, signal })
  )
  try {
    return readQuote(asked, answer, await decimalsOf(context, asked, answer, signal))
  } catch (error) {
    if (error instanceof ClientError) throw error
    throw new ClientError('The quote lacks fields', { code: 'UNREADABLE' }, { cause: error })
  }
}

/** In what a quote's digits are counted. */
interface Decimals {
  origin: number
  target: number
}

/**
 * Digit strings are counted in the quote's decimals, those of what a swap pays out in the target token's (interface 5.19),
 * which the quote does not have.
 */
async function decimalsOf(
  { api, timing }: Context,
  { originChain, originSymbol, targetChain, targetSymbol }: QuoteRequest,
  { decimals, swapInfo }: QuoteAnswer,
  signal: AbortSignal | undefined
): Promise<Decimals> {
  const isSwap = typeof swapInfo?.amountOutBigInt === 'string'
  if (decimals !== undefined && !isSwap) return { origin: decimals, target: decimals }
  const chains = await ask(timing, signal, signal => api.GET('/chains', { signal }))
  const find = (chain: string, symbol: string) =>
    chains
      .find(({ shortName }) => shortName === chain)
      ?.supportedTokens.find(token => token.symbol === symbol)?.decimals
  return {
    origin: decimals ?? find(originChain, originSymbol) ?? Number.NaN,
    target: find(targetChain, targetSymbol) ?? Number.NaN
  }
}

/** @throws TypeError, RangeError or SyntaxError when a field is missing or has another form */
function readQuote(request: QuoteRequest, answer: QuoteAnswer, decimals: Decimals): Quote {
  const { feeId, transactionValues, totalFeeUsd, peggedTo, options = {}, swapInfo } = answer
  const amount = (field: unknown) => readAmount(field, decimals.origin)
  // The name of the processing fee has the brand in it (interface 2.3).
  const processing = Object.keys(answer).find(name => /^fee.+ProcessingBigInt$/.test(name))
  const fees = {
    ...(answer.feeOriginGasBigInt && { originGas: amount(answer.feeOriginGasBigInt) }),
    ...(processing && { processing: amount(answer[processing]) }),
    ...(answer.feeTargetGasBigInt && { targetGas: amount(answer.feeTargetGasBigInt) }),
    ...(answer.feeSwapBigInt && { swap: amount(answer.feeSwapBigInt) })
  }
  const total = answer.feeTotalBigInt && amount(answer.feeTotalBigInt)
  const { feeFromOrigin, feeFromTarget } = transactionValues
  const side = ({ allowanceAmount, submitAmount, message = '' }: AnsweredSide) => ({
    allowanceAmount: amount(allowanceAmount),
    submitAmount: amount(submitAmount),
    message
  })
  const expiresAt = readTime(answer.expiration)
  return {
    request,
    feeId,
    // A total of zero is that of a fee service which sends the parts only (interface 5.27).
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
  if (!/^\d{1,78}$/.test(value) || !Number.isInteger(amount['decimals'])) throw new TypeError('no amount')
  return { value, decimals: Number(amount['decimals']) }
}

/** A date, or seconds or milliseconds since the epoch; before 1970 and zero say nothing (interface 5.23). */
function readTime(expiration: string | number | undefined): Date | undefined {
  const number = Number(expiration)
  const ms = Number.isNaN(number) ? Date.parse(String(expiration)) : number < 1e11 ? number * 1000 : number
  return ms > 0 ? new Date(ms) : undefined
}
