import type { ErrorCode } from '../../schemas/error-catalogue.ts'
import type { ChainClient } from '../chain-client/contract.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { QuoteStore, QuoteTerms, StoredQuote } from './contract.ts'

/** The client that requested a quote. */
export interface QuoteClient {
  /** An address, a network or a caller (interface 14.10). */
  client: string
  /** The only caller who may submit the quote; undefined if everyone may (interface 24.5). */
  caller?: string | undefined
}

/**
 * Stores quotes. A quote is known only to servers with the same wallet, chain, environment and brand (interface 5.24).
 * Every asynchronous method throws ServiceError WALLET_UNKNOWN until a node has returned the chain's id.
 */
export interface QuoteBook {
  /** The store's clock, in milliseconds since the epoch. */
  now(): number
  /** @throws ServiceError INTAKE_CLOSED if the store cannot be read */
  find(feeId: string): Promise<StoredQuote | 'damaged' | undefined>
  /**
   * Resolves once the quote is durable.
   * @throws ServiceError STORE_UNAVAILABLE if the quote could not be stored
   * @throws UpstreamError if the feeId belongs to another quote (interface 5.35)
   */
  remember(quote: QuoteTerms, client: QuoteClient): Promise<void>
  /**
   * Extends or refuses an expired quote, unless another server has already done so.
   * @returns the quote as it is stored now
   * @throws ServiceError INTAKE_CLOSED if the store cannot be written or read
   */
  change(
    quote: StoredQuote,
    change: Partial<Pick<StoredQuote, 'expiresAt' | 'isRefused'>>
  ): Promise<StoredQuote | 'damaged' | undefined>
}

/** @param options.wallet its address */
export function createQuoteBook(options: {
  store: Pick<QuoteStore, 'putQuote' | 'findQuote' | 'changeQuote'> & {
    walletState(): Promise<{ chainId: string } | undefined>
    now(): number
  }
  chain: Pick<ChainClient, 'status'>
  environment: string
  brand: string
  wallet: string
  log: Logger
}): QuoteBook {
  const { store, chain, environment, brand, wallet, log } = options
  let chainId: string | undefined
  /** Shared by all requests that wait for it. */
  let reading: Promise<string> | undefined

  /** A server whose nodes follow another chain than the store must not use the store's quotes. */
  async function readChainId(): Promise<string> {
    const [stored, current] = await Promise.all([store.walletState(), chain.status()])
    if (stored && stored.chainId !== current.chainId)
      throw new Error(
        `the node is on chain ${current.chainId}, but the store belongs to chain ${stored.chainId}`
      )
    chainId = stored?.chainId
    return current.chainId
  }

  function currentChainId(): Promise<string> {
    reading ??= readChainId().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function keyOf(feeId: string) {
    const id = chainId ?? (await currentChainId().catch(failedWith('WALLET_UNKNOWN')))
    return { feeId, network: `${environment} ${id} ${brand} ${wallet}` }
  }

  async function find(feeId: string): Promise<StoredQuote | 'damaged' | undefined> {
    const found = await store.findQuote(await keyOf(feeId)).catch(failedWith('INTAKE_CLOSED'))
    if (!(found instanceof Error)) return found
    log.error({ err: found, feeId }, 'stored quote is damaged: rejecting its submission')
    return 'damaged'
  }

  return {
    now: store.now,
    find,
    async remember(quote, client) {
      const key = await keyOf(quote.feeId)
      const isStored = await store
        .putQuote({ ...quote, ...client, ...key })
        .catch(failedWith('STORE_UNAVAILABLE'))
      if (!isStored)
        throw new UpstreamError('fee service', `the feeId ${quote.feeId} belongs to another quote`)
    },
    async change(quote, change) {
      const key = await keyOf(quote.feeId)
      await store
        .changeQuote(key, quote.expiresAt, { ...quote, ...change })
        .catch(failedWith('INTAKE_CLOSED'))
      return find(quote.feeId)
    }
  }
}

const failedWith =
  (code: ErrorCode) =>
  (cause: unknown): never => {
    throw cause instanceof ServiceError ? cause : new ServiceError(code, undefined, { cause })
  }
