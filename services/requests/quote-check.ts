import type { FeeQuery } from '../../schemas/fee-quote.ts'
import { isSameAddress } from '../addresses/index.ts'
import { addAmounts, compareAmounts, exactAmount, unitsAt, wholeText } from '../amounts.ts'
import { FIAT } from '../chains/families.ts'
import { type ErrorDetail, fieldError, ServiceError } from '../errors/index.ts'
import { isFiat } from '../fiat/index.ts'
import type { FeeService } from '../quotes/fee-service.ts'
import type { QuoteBook } from '../quotes/quote-book.ts'
import type { QuoteProofs } from '../quotes/quote-proof.ts'
import { exactOf, type RememberedQuote } from '../quotes/remembered-quote.ts'
import type { ClaimedAmount, RequestedSubmission, RouteEnd } from './request.ts'

/**
 * Compares a submission with the quote of its feeId.
 * @param originDecimals decimals of the origin token
 * @param checked result of an earlier check of this submission; if given, the check is repeated only if the quote has
 *   expired since (interface 5.29)
 * @returns the quote; undefined if it is unknown
 * @throws ServiceError QUOTE_MISMATCH naming each field with both values (interface 5.25 to 5.27)
 * @throws ServiceError QUOTE_UNKNOWN if quotes are required
 * @throws ServiceError QUOTE_EXPIRED if quotes are required, and a renewal costs more (interface 5.31)
 * @throws ServiceError INTAKE_CLOSED if the quotes cannot be read
 * @throws the errors of `FeeService.price`, if an expired quote is renewed
 */
export type QuoteCheck = (
  requested: RequestedSubmission,
  originDecimals: number,
  checked?: RememberedQuote
) => Promise<RememberedQuote | undefined>

/**
 * @param options.quotes undefined to skip the check
 * @param options.isRequired whether to reject a submission without a known quote, and to renew an expired quote
 */
export function createQuoteCheck(options: {
  quotes: Pick<QuoteBook, 'find' | 'replace' | 'now'> | undefined
  isRequired: boolean
  proofs: Pick<QuoteProofs, 'read'>
  fees: Pick<FeeService, 'price'>
}): QuoteCheck {
  const { quotes, isRequired, proofs, fees } = options
  if (quotes === undefined) return async () => undefined
  const holds = ({ expiresAt }: RememberedQuote) => expiresAt > quotes.now()

  /** Renews an expired quote at the current price. All servers use the first result that any of them stores. */
  async function renewed(
    requested: RequestedSubmission,
    approved: RememberedQuote,
    found: RememberedQuote | undefined,
    originDecimals: number
  ): Promise<RememberedQuote | undefined> {
    const now = await fees.price(queryOf(requested, approved, originDecimals))
    const isRefused = now === undefined || !holds(now) || costsMore(now, approved, requested, originDecimals)
    const expiresAt = now?.expiresAt ?? approved.expiresAt
    return quotes?.replace(found, { ...approved, expiresAt, ...(isRefused && { isRefused }) })
  }

  /** Recovers a quote from the client's proof if the store has lost the quote. */
  function proven({ feeId, quoteProof }: RequestedSubmission): RememberedQuote | undefined {
    const quote = quotes && proofs.read(quoteProof, quotes.now())
    return quote?.feeId === feeId ? quote : undefined
  }

  return async (requested, originDecimals, checked) => {
    if (checked && (!isRequired || holds(checked))) return checked
    const found = await quotes.find(requested.feeId)
    if (found && !isFor(found, requested)) throw unknownQuote()
    if (!isRequired && !(found && holds(found))) return undefined
    const approved = found ?? proven(requested)
    if (approved === undefined || !isFor(approved, requested)) throw unknownQuote()
    assertAgrees(requested, approved, originDecimals)
    if (holds(approved) || approved.isRefused) return unlessRefused(approved)
    const quote = await renewed(requested, approved, found, originDecimals)
    if (quote === undefined) throw unknownQuote()
    assertAgrees(requested, quote, originDecimals)
    return unlessRefused(quote)
  }
}

/** A quote requested with an API key belongs to that caller only (interface 24.5). */
const isFor = (quote: RememberedQuote, { caller }: RequestedSubmission) =>
  quote.caller === undefined || quote.caller === caller

function unlessRefused(quote: RememberedQuote): RememberedQuote {
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

function assertAgrees(requested: RequestedSubmission, quote: RememberedQuote, originDecimals: number): void {
  const details = contradictions(requested, quote, originDecimals)
  const [first] = details
  if (first === undefined) return
  const field = first.path.slice(1).replaceAll('/', '.')
  throw new ServiceError('QUOTE_MISMATCH', `${field} ${first.message}`, { details })
}

/** Rebuilds the query of the quote. If the fees were deducted, it was for the submitted amount plus the fee. */
function queryOf(
  { route, fee, chargeFeeAtTarget }: RequestedSubmission,
  { feeFromOrigin }: RememberedQuote,
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

/** A new quote costs more if its fee is higher or its swap output is smaller. */
function costsMore(
  now: RememberedQuote,
  approved: RememberedQuote,
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
export function sidesOf(quote: RememberedQuote, chargeFeeAtTarget: boolean | undefined) {
  const { feeFromOrigin, feeFromTarget } = quote
  const chosen =
    chargeFeeAtTarget === undefined
      ? [feeFromOrigin, feeFromTarget]
      : [chargeFeeAtTarget ? feeFromTarget : feeFromOrigin]
  return chosen.filter(side => side !== undefined)
}

function contradictions(
  requested: RequestedSubmission,
  quote: RememberedQuote,
  originDecimals: number
): ErrorDetail[] {
  const { origin, target } = requested.route
  const found = [
    ...endContradictions(
      'origin',
      { ...origin, chain: isFiat(origin.chain) ? FIAT : origin.chain },
      quote.origin
    ),
    ...endContradictions('target', target, quote.target),
    ...amountContradictions(requested, quote),
    ...swapContradictions(target.amount, quote),
    ...feeContradictions(requested, quote, originDecimals)
  ]
  return found.map(([field, sent, quoted]) => ({
    path: `/${field}`,
    message: `must be ${quoted || 'empty'} as in the quote, not ${sent || 'empty'}`
  }))
}

type Contradiction = [field: string, sent: string, quoted: string]

function endContradictions(
  location: 'origin' | 'target',
  { chain, address, symbol }: RouteEnd,
  quoted: RememberedQuote['origin']
): Contradiction[] {
  const all: Contradiction[] = [
    [`${location}Chain`, chain, quoted.chain],
    [`${location}Address`, address, isSameAddress(address, quoted.address) ? address : quoted.address],
    [`${location}Symbol`, symbol, quoted.symbol]
  ]
  return all.filter(([, sent, agreed]) => sent !== agreed)
}

function amountContradictions(
  { route, chargeFeeAtTarget }: RequestedSubmission,
  quote: RememberedQuote
): Contradiction[] {
  const { field, whole } = route.origin.amount
  const sides = sidesOf(quote, chargeFeeAtTarget)
  if (sides.length === 0) {
    return [['options/chargeFeeAtTarget', String(chargeFeeAtTarget), String(!chargeFeeAtTarget)]]
  }
  const amounts = sides.map(({ submitAmount }) => exactOf(submitAmount))
  const isQuoted = amounts.some(amount => compareAmounts(amount, exactAmount(whole)) === 0)
  return isQuoted ? [] : [[field, whole, `${[...new Set(amounts.map(wholeText))].join(' or ')} tokens`]]
}

/** A swap needs a swap quote, and a transfer needs a transfer quote. */
function swapContradictions(out: ClaimedAmount | undefined, quote: RememberedQuote): Contradiction[] {
  const quoted = quote.amountOut && exactOf(quote.amountOut)
  if (out === undefined) return quoted ? [['amountOut', 'missing', `${wholeText(quoted)} tokens`]] : []
  if (quoted && compareAmounts(quoted, exactAmount(out.whole)) === 0) return []
  return [[out.field, out.whole, quoted ? `${wholeText(quoted)} tokens` : 'omitted']]
}

/**
 * Clients convert the fee to the decimals of the submitted amount, so a last digit that was cut off or rounded up is not
 * a mismatch. The comparison never uses fewer decimals than the smaller of the token's and the quoted amount's decimals:
 * with 0 decimals, a fee of 0.4 would become zero.
 */
function feeContradictions(
  requested: RequestedSubmission,
  quote: RememberedQuote,
  originDecimals: number
): Contradiction[] {
  const { fee } = requested
  const quoted = exactOf(quote.fee)
  const decimals = feeDecimals(requested, quote, originDecimals)
  const sent = unitsAt(exactAmount(fee), decimals).floor
  const { floor, ceiling } = unitsAt(quoted, decimals)
  return sent === floor || sent === ceiling ? [] : [['fee', fee, `${wholeText(quoted)} tokens`]]
}

function feeDecimals(
  { route, chargeFeeAtTarget }: RequestedSubmission,
  quote: RememberedQuote,
  originDecimals: number
): number {
  const inQuote = sidesOf(quote, chargeFeeAtTarget).map(({ submitAmount }) => submitAmount.decimals)
  return Math.max(route.origin.amount.decimals.value, Math.min(originDecimals, ...inQuote))
}
