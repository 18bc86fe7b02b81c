import { canonicalAddress } from '../addresses/canonical.ts'
import { FIAT } from '../chains/families.ts'
import { fieldError } from '../errors/field-error.ts'
import { type ErrorDetail, ServiceError } from '../errors/index.ts'
import { compareAmounts, exactAmount, unitsAt, wholeText } from '../exact-amount.ts'
import type { QuoteBook } from '../quotes/quote-book.ts'
import { exactOf, type RememberedQuote } from '../quotes/remembered-quote.ts'
import { isRail } from '../rails/index.ts'
import type { ClaimedAmount, RequestedSubmission, RouteEnd } from './request.ts'

type Requested = Omit<RequestedSubmission<unknown>, 'message'>

/**
 * Compares a submission with the quote that it names.
 * @param originDecimals those of the origin token
 * @returns the quote; undefined for one that is not known
 * @throws ServiceError QUOTE_MISMATCH naming each field, what came and what was quoted (interface 5.25 to 5.27)
 * @throws ServiceError QUOTE_UNKNOWN when quotes are required
 * @throws IntakeClosedError when the quotes cannot be read
 */
export type QuoteCheck = (
  requested: Requested,
  originDecimals: number
) => Promise<RememberedQuote | undefined>

/**
 * @param options.quotes undefined when nothing is compared
 * @param options.isRequired whether a submission without a known quote is refused
 */
export function createQuoteCheck(options: {
  quotes: Pick<QuoteBook, 'find'> | undefined
  isRequired: boolean
}): QuoteCheck {
  const { quotes, isRequired } = options
  return async (requested, originDecimals) => {
    const quote = await quotes?.find(requested.feeId)
    if (quote === undefined) {
      if (!isRequired) return undefined
      throw unknownQuote()
    }
    const details = contradictions(requested, quote, originDecimals)
    const [first] = details
    if (first === undefined) return quote
    const field = first.path.slice(1).replaceAll('/', '.')
    throw new ServiceError('QUOTE_MISMATCH', `${field} ${first.message}`, { details })
  }
}

/**
 * Refuses a submission whose quote has expired during its other checks (interface 5.29): meanwhile another server may have
 * told its client to ask for a new quote.
 * @throws ServiceError QUOTE_UNKNOWN when quotes are required
 */
export type QuoteExpiryCheck = (quote: RememberedQuote | undefined) => void

/**
 * @param options.quotes undefined when nothing is compared
 * @param options.isRequired whether a submission without a known quote is refused
 */
export function createQuoteExpiryCheck(options: {
  quotes: Pick<QuoteBook, 'now'> | undefined
  isRequired: boolean
}): QuoteExpiryCheck {
  const { quotes, isRequired } = options
  return quote => {
    if (quotes && isRequired && quote && quote.expiresAt <= quotes.now()) throw unknownQuote()
  }
}

function unknownQuote(): ServiceError {
  return fieldError(
    'options/feeId',
    'must be that of a quote of this service that has not expired',
    'QUOTE_UNKNOWN'
  )
}

/** The sides of a quote that a submission may be of: the chosen one, or either where none was chosen. */
export function sidesOf(quote: RememberedQuote, chargeFeeAtTarget: boolean | undefined) {
  const { feeFromOrigin, feeFromTarget } = quote
  const chosen =
    chargeFeeAtTarget === undefined
      ? [feeFromOrigin, feeFromTarget]
      : [chargeFeeAtTarget ? feeFromTarget : feeFromOrigin]
  return chosen.filter(side => side !== undefined)
}

function contradictions(requested: Requested, quote: RememberedQuote, originDecimals: number): ErrorDetail[] {
  const { origin, target } = requested.route
  const onChain = { ...origin, chain: isRail(origin.chain) ? FIAT : origin.chain }
  const found = [
    ...endContradictions('origin', onChain, quote.origin),
    ...endContradictions('target', target, quote.target),
    ...amountContradictions(requested, quote),
    ...swapContradictions(target.amount, quote),
    ...feeContradictions(requested, quote, originDecimals)
  ]
  return found.map(([field, came, quoted]) => ({
    path: `/${field}`,
    message: `is ${came}, but the quote has ${quoted}`
  }))
}

/** The field, what came and what was quoted. */
type Contradiction = [field: string, came: string, quoted: string]

function endContradictions(
  location: 'origin' | 'target',
  { chain, address, symbol }: RouteEnd,
  quoted: RememberedQuote['origin']
): Contradiction[] {
  const all: Contradiction[] = [
    [`${location}Chain`, chain, quoted.chain],
    [`${location}Address`, canonicalAddress(address), canonicalAddress(quoted.address)],
    [`${location}Symbol`, symbol, quoted.symbol]
  ]
  return all
    .filter(([, came, agreed]) => came !== agreed)
    .map(([field, ...values]) => [field, ...named(values)])
}

function named([came, quoted]: [string, string]): [string, string] {
  return [came || 'empty', quoted || 'none']
}

function amountContradictions(
  { route, chargeFeeAtTarget }: Requested,
  quote: RememberedQuote
): Contradiction[] {
  const { field, whole } = route.origin.amount
  const sides = sidesOf(quote, chargeFeeAtTarget)
  if (sides.length === 0) {
    return [['options/chargeFeeAtTarget', String(chargeFeeAtTarget), 'no such amount']]
  }
  const amounts = sides.map(({ submitAmount }) => exactOf(submitAmount))
  const isQuoted = amounts.some(amount => compareAmounts(amount, exactAmount(whole)) === 0)
  return isQuoted ? [] : [[field, whole, [...new Set(amounts.map(wholeText))].join(' or ')]]
}

/** A swap needs the quote of a swap, and a transfer that of a transfer. */
function swapContradictions(out: ClaimedAmount | undefined, quote: RememberedQuote): Contradiction[] {
  const quoted = quote.amountOut && exactOf(quote.amountOut)
  if (out === undefined) return quoted ? [['amountOut', 'missing', wholeText(quoted)]] : []
  if (quoted && compareAmounts(quoted, exactAmount(out.whole)) === 0) return []
  return [[out.field, out.whole, quoted ? wholeText(quoted) : 'none, being one of a transfer']]
}

/**
 * Clients convert the fee to the decimals of what they submit. What is cut off or rounded up in the last of these is no
 * difference, unless they are fewer than those of the token and of the quoted amount: with 0 decimals, a fee of 0.4
 * would be none.
 */
function feeContradictions(
  { fee, route, chargeFeeAtTarget }: Requested,
  quote: RememberedQuote,
  originDecimals: number
): Contradiction[] {
  const quoted = exactOf(quote.fee)
  const inQuote = sidesOf(quote, chargeFeeAtTarget).map(({ submitAmount }) => submitAmount.decimals)
  const decimals = Math.max(route.origin.amount.decimals.value, Math.min(originDecimals, ...inQuote))
  const came = unitsAt(exactAmount(fee), decimals).floor
  const { floor, ceiling } = unitsAt(quoted, decimals)
  return came === floor || came === ceiling ? [] : [['fee', fee, wholeText(quoted)]]
}
