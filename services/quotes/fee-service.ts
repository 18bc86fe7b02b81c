import type { ChainToken } from '../../schemas/chains.ts'
import { type FeeQuery, QuoteCore, type ResponseFormat } from '../../schemas/fee-quote.ts'
import { assertAddress, assertOfUser, type Environment } from '../addresses/index.ts'
import { type ExactAmount, exactAmount, plainDecimal, unitsAt } from '../amounts.ts'
import { assertLocation, type ChainLocation, catalogueChain } from '../chains/catalogue.ts'
import { FIAT, family } from '../chains/families.ts'
import type { ChainService } from '../chains/index.ts'
import { assertWithinLimit } from '../chains/transfer-limit.ts'
import { fieldError, ServiceError } from '../errors/index.ts'
import { isFiat, paymentMethodOf, railOf } from '../fiat/index.ts'
import { isObject } from '../json.ts'
import type { Logger } from '../logger.ts'
import { checkFor } from '../schema-check.ts'
import { UpstreamError, UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'
import type { QuoteTerms } from './contract.ts'
import { formatQuote, type Quote } from './format.ts'
import type { QuoteBook, QuoteClient } from './quote-book.ts'
import { exactOf, termsOf } from './terms.ts'

const QuoteResponse = checkFor(QuoteCore)

/** Version of the fee service's API (interface 5.4). */
export type FeeApi = 'v2' | 'v3'

/** HTTP statuses with which the fee service rejects the transfer itself (interface 5.15). */
const QUOTE_REFUSED = [400, 422]

/** Quotes the fees of transfers. */
export interface FeeService {
  /**
   * Requests a fee quote and formats its amounts for clients (interface 5.7, 5.17).
   * Stores the quote before returning it (interface 5.23).
   * @throws ServiceError VALIDATION, CHAIN_UNSUPPORTED (interface 5.34), ADDRESS_INVALID (interface 5.30) and
   *   TRANSFER_LIMIT (interface 5.33), with the parameter
   * @throws ServiceError QUOTE_REFUSED with the fee service's message, for its 400 or 422 (interface 5.15)
   * @throws UpstreamError, UpstreamTimeoutError for its other failures
   * @throws the errors of `QuoteBook.remember`
   */
  quote(query: FeeQuery, client: QuoteClient): Promise<Quote>
  /** Requests the price without storing the quote (interface 5.31). @throws the errors of `quote` */
  price(query: FeeQuery): Promise<QuoteTerms | undefined>
  close(): Promise<void>
}

/**
 * @param options.api `v3` requests also contain `peggedTo` of the origin token, and a rail's payment method
 * @param options.creator chain address of the wallet that will submit
 * @param options.quotes undefined if quotes are not stored
 */
export function createFeeService(options: {
  baseUrl: string
  path: string
  api: FeeApi
  format: ResponseFormat
  creator: string
  environment: Environment
  hasBitcoin: boolean
  chains: Pick<ChainService, 'ownAddresses' | 'token' | 'transferLimit'>
  quotes?: Pick<QuoteBook, 'remember' | 'now'> | undefined
  log: Logger
  observe?: UpstreamObserver
}): FeeService {
  const { creator, path, api, format, environment, hasBitcoin, chains, quotes, log, observe } = options
  const upstream = createUpstream({ name: 'fee service', baseUrl: options.baseUrl, observe })

  /**
   * Checks that the address can belong to a user (interface 18.8).
   * @returns the token; undefined if the registry is down or does not contain it: then the fee service decides
   */
  async function tokenAt(location: ChainLocation, query: FeeQuery): Promise<ChainToken | undefined> {
    const chain = query[`${location}Chain`]
    const symbol = query[`${location}Symbol`]
    try {
      assertOfUser(location, query[`${location}Address`], await chains.ownAddresses(chain))
      return await chains.token(chain, symbol)
    } catch (err) {
      if (!(err instanceof UpstreamError)) throw err
      log.warn(
        { err, chain, symbol },
        'token could not be read from the registry; requesting the quote without its decimals'
      )
      return undefined
    }
  }

  async function ask(body: object): Promise<Quote> {
    try {
      return await upstream.post(path, body, QuoteResponse)
    } catch (error) {
      if (error instanceof UpstreamRefusalError && QUOTE_REFUSED.includes(error.httpStatus)) {
        const reason = error.shortReason ?? 'it gave no reason'
        throw new ServiceError('QUOTE_REFUSED', `The fee service does not quote this transfer: ${reason}`)
      }
      throw error
    }
  }

  /** @throws UpstreamError without a payment method, or for one of another rail (interface 5.21) */
  function quotedRail(originChain: string, { paymentMethod = '' }: { paymentMethod?: string }) {
    const name = railOf(originChain, paymentMethod)
    if (name === undefined) throw upstream.fault('the quote has no payment method of its rail')
    return { name, options: { paymentMethod } }
  }

  /** Requests a quote. `agreed` has the terms that a submission must match. */
  async function askFor(query: FeeQuery) {
    const { originSymbol, targetAddress, targetChain, targetSymbol, deductFee } = query
    const ends = originOf(query)
    assertEnds(query, environment, hasBitcoin)
    const [origin, target] = await Promise.all([tokenAt('origin', query), tokenAt('target', query)])
    const amount = plainDecimal(query.amount)
    if (origin !== undefined) assertNotFiner(amount, origin.decimals)
    const options = isFiat(query.originChain) ? fiatOptions(query.originChain, origin) : undefined
    const quote = await ask({
      creator,
      ...ends,
      originSymbol,
      targetChain,
      targetAddress,
      targetSymbol,
      amount,
      deductFee,
      ...(api === 'v3' && { peggedTo: origin?.peggedTo, ...(options && { options }) })
    })
    const decimals = { origin: origin?.decimals, target: target?.decimals }
    const rail = isFiat(query.originChain)
      ? quotedRail(query.originChain, { ...options, ...namedIn(quote['options']) })
      : undefined
    const agreed = termsOf(
      {
        origin: { chain: rail?.name ?? ends.originChain, address: ends.originAddress, symbol: originSymbol },
        target: { chain: targetChain, address: targetAddress, symbol: targetSymbol },
        ...rail?.options
      },
      quote,
      decimals,
      quotes?.now() ?? Date.now()
    )
    // If the fee is deducted, the user submits less than the amount. Check the smaller amount.
    const smallest = (agreed?.feeFromTarget ?? agreed?.feeFromOrigin)?.submitAmount
    if (origin && smallest) await assertWithinLimit(chains, origin, exactOf(smallest), 'amount')
    if (target && agreed) assertReceivable(agreed, target.decimals)
    return { quote, decimals, options: rail?.options, agreed }
  }

  return {
    async quote(query, client) {
      const { quote, decimals, options, agreed } = await askFor(query)
      const formatted = formatQuote(quote, format, decimals, upstream.name)
      if (quotes && agreed) await quotes.remember(agreed, client)
      else if (quotes)
        log.warn(
          { feeId: quote.feeId },
          'quote has no usable fee or amounts; its submission cannot be checked against it'
        )
      if (options === undefined) return formatted
      const sent = isObject(formatted['options']) ? formatted['options'] : {}
      return { ...formatted, options: { ...sent, ...options } }
    },

    price: async query => (await askFor(query)).agreed,

    close: upstream.close
  }
}

/** Returns the payment method that the fee service has returned, if any (interface 5.21). */
function namedIn(options: unknown): { paymentMethod?: string } {
  if (!isObject(options)) return {}
  const { paymentMethod } = options
  return typeof paymentMethod === 'string' && paymentMethod !== '' ? { paymentMethod } : {}
}

/** Returns the payment method to request for a rail. `FIAT` can be either rail, so its method comes from the token. */
function fiatOptions(originChain: string, token: ChainToken | undefined) {
  const paymentMethod = paymentMethodOf(originChain) ?? token?.address
  return paymentMethod === undefined ? undefined : { paymentMethod }
}

/**
 * Returns the origin for the fee service, which calls every rail FIAT and expects no address for it (interface 5.5).
 */
function originOf({ originChain, originAddress }: FeeQuery) {
  if (isFiat(originChain)) return { originChain: FIAT, originAddress: '' }
  if (originAddress !== '') return { originChain, originAddress }
  throw fieldError('originAddress', `must be the payer’s address on ${originChain}, not empty`)
}

function isFiner(amount: ExactAmount, decimals: number): boolean {
  const { floor, ceiling } = unitsAt(amount, decimals)
  return floor !== ceiling
}

function assertNotFiner(amount: string, decimals: number): void {
  if (isFiner(exactAmount(amount), decimals))
    throw fieldError('amount', `must have at most ${decimals} decimal places, like the origin token`)
}

/**
 * Checks that a transfer's quote has a side whose amount is exact in the target token: only that can be submitted
 * (interface 6.7).
 */
function assertReceivable({ feeFromOrigin, feeFromTarget, amountOut }: QuoteTerms, decimals: number): void {
  const sides = [feeFromOrigin, feeFromTarget].filter(side => side !== undefined)
  const usable = sides.filter(({ submitAmount }) => !isFiner(exactOf(submitAmount), decimals))
  if (amountOut || sides.length === 0 || usable.length > 0) return
  const problem = `must give a submitAmount with at most ${decimals} decimal places, like the target token`
  throw fieldError('amount', problem)
}

/** Checks that each chain can be at its end of the transfer, and each address on its chain. Ignores unknown chains. */
function assertEnds(query: FeeQuery, environment: Environment, hasBitcoin: boolean): void {
  // The catalogue has the rails by their own names (interface 4.2).
  if (query.targetChain === FIAT)
    throw fieldError(
      'targetChain',
      `must be a chain that can be the target, not ${FIAT}`,
      'CHAIN_UNSUPPORTED'
    )
  for (const location of ['origin', 'target'] as const) {
    const name = query[`${location}Chain`]
    const chain = catalogueChain(environment, name)
    if (chain !== undefined) assertLocation(chain, location, hasBitcoin)
    assertAddress(location, family(name), query[`${location}Address`], environment)
  }
}
