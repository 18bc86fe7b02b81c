import type { FeeQuery } from '../../schemas/fee-quote.ts'
import { isSameAddress } from '../addresses/index.ts'
import { addAmounts, compareAmounts, type ExactAmount, exactAmount, unitsAt, wholeText } from '../amounts.ts'
import { type ErrorDetail, fieldError, ServiceError } from '../errors/index.ts'
import type { QuoteTerms, StoredQuote } from '../quotes/contract.ts'
import type { FeeService } from '../quotes/fee-service.ts'
import type { QuoteBook } from '../quotes/quote-book.ts'
import { exactOf } from '../quotes/terms.ts'
import type { RequestedSubmission } from './request.ts'

/**
 * Compares a submission with the quote of its feeId.
 * @param originDecimals decimals of the origin token
 * @param checked result of an earlier check of this submission; if given, the check is repeated only if the quote has
 *   expired since (interface 5.31)
 * @returns the quote; undefined if it is unknown
 * @throws ServiceError QUOTE_MISMATCH with each field and both values (interface 5.25 to 5.27)
 * @throws ServiceError QUOTE_UNKNOWN if quotes are required, or if the stored quote is damaged
 * @throws ServiceError QUOTE_EXPIRED if quotes are required, and the transfer costs more now (interface 5.31)
 * @throws ServiceError INTAKE_CLOSED, WALLET_UNKNOWN if the quotes cannot be read
 * @throws the errors of `FeeService.price`, if the quote has expired
 */
export type QuoteCheck = (
  requested: RequestedSubmission,
  originDecimals: number,
  checked?: StoredQuote
) => Promise<StoredQuote | undefined>

/**
 * @param options.quotes undefined to skip the check
 * @param options.isRequired whether to reject a submission without a known quote, and to honour an expired quote
 */
export function createQuoteCheck(options: {
  quotes: Pick<QuoteBook, 'find' | 'change' | 'now'> | undefined
  isRequired: boolean
  fees: Pick<FeeService, 'price'>
}): QuoteCheck {
  const { quotes, isRequired, fees } = options
  if (quotes === undefined) return async () => undefined
  const isValid = ({ expiresAt }: QuoteTerms) => expiresAt > quotes.now()

  return async (requested, originDecimals, checked) => {
    if (checked && (!isRequired || isValid(checked))) return checked
    const quote = await quotes.find(requested.feeId)
    if (quote === 'damaged' || (quote && !isFor(quote, requested))) throw unknownQuote()
    if (quote === undefined) {
      if (isRequired) throw unknownQuote()
      return undefined
    }
    assertAgrees(requested, quote, originDecimals)
    if (!isRequired) return quote
    if (isValid(quote) || quote.isRefused) return unlessRefused(quote)
    // All servers use the first comparison with the current price that any of them stores.
    const now = await fees.price(queryOf(requested, quote, originDecimals))
    const isSame = now && isValid(now) && now.paymentMethod === quote.paymentMethod
    const costsNoMore = isSame && !costsMore(now, quote, requested, originDecimals)
    const change = costsNoMore ? { expiresAt: now.expiresAt } : { isRefused: true }
    const current = await quotes.change(quote, change)
    if (current === undefined || current === 'damaged') throw unknownQuote()
    assertAgrees(requested, current, originDecimals)
    return unlessRefused(current)
  }
}

/**
 * Returns whether the submission's caller may use the quote: a quote requested with an API key belongs to that caller
 * only (interface 24.5).
 */
const isFor = (quote: StoredQuote, { caller }: RequestedSubmission) =>
  quote.caller === undefined || quote.caller === caller

function unlessRefused(quote: StoredQuote): StoredQuote {
  if (!quote.isRefused) return quote
  throw fieldError(
    'options/feeId',
    'must be the feeId of a new quote, because this quote has expired and the same transfer costs more now',
    'QUOTE_EXPIRED'
  )
}

function unknownQuote(): ServiceError {
  const problem = 'must be the feeId of a quote from this service; request a new quote'
  return fieldError('options/feeId', problem, 'QUOTE_UNKNOWN')
}

/** @throws ServiceError QUOTE_MISMATCH */
function assertAgrees(requested: RequestedSubmission, quote: QuoteTerms, originDecimals: number): void {
  const { route, fee, chargeFeeAtTarget, paymentMethod } = requested
  const details: ErrorDetail[] = []
  function differs(field: string, sent: string, quoted: string): void {
    const message = `must be ${quoted || 'empty'} as in the quote, not ${sent || 'empty'}`
    details.push({ path: `/${field}`, message })
  }
  const inTokens = (amount: ExactAmount) => `${wholeText(amount)} tokens`

  for (const location of ['origin', 'target'] as const) {
    const { chain, address, symbol } = route[location]
    const quoted = quote[location]
    if (chain !== quoted.chain) differs(`${location}Chain`, chain, quoted.chain)
    if (!isSameAddress(address, quoted.address)) differs(`${location}Address`, address, quoted.address)
    if (symbol !== quoted.symbol) differs(`${location}Symbol`, symbol, quoted.symbol)
  }

  if (paymentMethod !== quote.paymentMethod)
    differs('options/paymentMethod', paymentMethod ?? '', quote.paymentMethod ?? '')

  const { field, whole } = route.origin.amount
  const amounts = sidesOf(quote, chargeFeeAtTarget).map(({ submitAmount }) => exactOf(submitAmount))
  if (amounts.length === 0)
    differs('options/chargeFeeAtTarget', String(chargeFeeAtTarget), String(!chargeFeeAtTarget))
  else if (!amounts.some(amount => compareAmounts(amount, exactAmount(whole)) === 0))
    differs(field, whole, `${[...new Set(amounts.map(wholeText))].join(' or ')} tokens`)

  // A swap needs a swap quote, and a transfer needs a transfer quote.
  const out = route.target.amount
  const quotedOut = quote.amountOut && exactOf(quote.amountOut)
  if (out === undefined) {
    if (quotedOut) differs('amountOut', 'missing', inTokens(quotedOut))
  } else if (quotedOut === undefined || compareAmounts(quotedOut, exactAmount(out.whole)) !== 0)
    differs(out.field, out.whole, quotedOut ? inTokens(quotedOut) : 'omitted')

  // Clients convert the fee to the decimals of the submitted amount, so a last digit that was cut off or rounded up is
  // not a mismatch.
  const decimals = feeDecimals(requested, quote, originDecimals)
  const sentFee = unitsAt(exactAmount(fee), decimals).floor
  const { floor, ceiling } = unitsAt(exactOf(quote.fee), decimals)
  if (sentFee !== floor && sentFee !== ceiling) differs('fee', fee, inTokens(exactOf(quote.fee)))

  const [first] = details
  if (first === undefined) return
  const name = first.path.slice(1).replaceAll('/', '.')
  throw new ServiceError('QUOTE_MISMATCH', `${name} ${first.message}`, { details })
}

/** Rebuilds the query of the quote. For deducted fees, the quoted amount was the submitted amount plus the fee. */
function queryOf(
  { route, fee, chargeFeeAtTarget }: RequestedSubmission,
  { feeFromOrigin }: QuoteTerms,
  originDecimals: number
): FeeQuery {
  const { origin, target } = route
  const submitted = exactAmount(origin.amount.whole)
  const isOnTop =
    feeFromOrigin !== undefined &&
    !chargeFeeAtTarget &&
    compareAmounts(exactOf(feeFromOrigin.submitAmount), submitted) === 0
  const amount = isOnTop ? submitted : addAmounts(submitted, exactAmount(fee))
  return {
    amount: wholeText({ units: unitsAt(amount, originDecimals).floor, decimals: originDecimals }),
    originAddress: origin.address,
    originChain: origin.chain,
    originSymbol: origin.symbol,
    targetAddress: target.address,
    targetChain: target.chain,
    targetSymbol: target.symbol
  }
}

/** Returns whether a new quote costs more: its fee is higher or its swap output is smaller. */
function costsMore(
  now: QuoteTerms,
  approved: QuoteTerms,
  requested: RequestedSubmission,
  originDecimals: number
): boolean {
  const decimals = feeDecimals(requested, now, originDecimals)
  const higher = unitsAt(exactOf(now.fee), decimals).floor > unitsAt(exactOf(approved.fee), decimals).ceiling
  if (now.amountOut === undefined || approved.amountOut === undefined) {
    return higher || now.amountOut !== approved.amountOut
  }
  return higher || compareAmounts(exactOf(now.amountOut), exactOf(approved.amountOut)) < 0
}

/** Returns the sides of a quote that a submission may use: both if the client chose neither. */
export function sidesOf(quote: QuoteTerms, chargeFeeAtTarget: boolean | undefined) {
  const { feeFromOrigin, feeFromTarget } = quote
  const chosen =
    chargeFeeAtTarget === undefined
      ? [feeFromOrigin, feeFromTarget]
      : [chargeFeeAtTarget ? feeFromTarget : feeFromOrigin]
  return chosen.filter(side => side !== undefined)
}

/**
 * Returns at least as many decimals as the token or the quoted amount has, whichever has fewer: with 0 decimals, a fee
 * of 0.4 would become zero.
 */
function feeDecimals(
  { route, chargeFeeAtTarget }: RequestedSubmission,
  quote: QuoteTerms,
  originDecimals: number
): number {
  const inQuote = sidesOf(quote, chargeFeeAtTarget).map(({ submitAmount }) => submitAmount.decimals)
  return Math.max(route.origin.amount.decimals.value, Math.min(originDecimals, ...inQuote))
}
