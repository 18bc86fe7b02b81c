import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import { upTo } from '../caches/capacity.ts'
import { parseJson } from '../json.ts'
import type { Logger } from '../logger.ts'
import { checkFor } from '../schema-check.ts'
import { RENEWABLE_MS } from './quote-proof.ts'
import { RememberedQuote } from './remembered-quote.ts'

/** A quote takes about a kilobyte. The least recently used quotes are evicted. */
export const MAX_QUOTES = 50_000

const known = checkFor(RememberedQuote)
const file = checkFor(Type.Array(Type.Unknown()))

/** Quotes that are valid or renewable, by feeId (interface 5.23, 5.31). */
export interface QuoteBook {
  remember(quote: RememberedQuote): Promise<void>
  /**
   * Returns a quote, including an expired one that can still be renewed; undefined if the quote is unknown or was evicted.
   * @throws ServiceError INTAKE_CLOSED if the store cannot be read
   */
  find(feeId: string): Promise<RememberedQuote | undefined>
  /**
   * Replaces the quote that `find` returned, unless that quote has changed in the meantime.
   * @returns the quote that is now stored
   * @throws ServiceError INTAKE_CLOSED if the store is not writable
   */
  replace(found: RememberedQuote | undefined, quote: RememberedQuote): Promise<RememberedQuote | undefined>
  /** Milliseconds since the epoch, by the clock that determines when quotes expire. */
  now(): number
  close(): Promise<void>
}

/**
 * Keeps quotes in memory and writes them to a file on close. After a crash the quotes are unknown, which is safe.
 * @param options.path a missing or damaged file counts as empty
 */
export function createQuoteBook(options: { path: string; log: Logger; now?: () => number }): QuoteBook {
  const { path, log, now = () => Date.now() } = options
  const quotes = new LRUCache<string, RememberedQuote>(upTo(MAX_QUOTES))

  const isKept = ({ expiresAt }: RememberedQuote) => expiresAt + RENEWABLE_MS > now()

  for (const quote of readQuotes(path, log)) if (known.Check(quote)) quotes.set(quote.feeId, quote)

  return {
    now,
    async remember(quote) {
      quotes.set(quote.feeId, quote)
    },
    async find(feeId) {
      const quote = quotes.get(feeId)
      return quote !== undefined && isKept(quote) ? quote : undefined
    },
    async replace(found, quote) {
      if (quotes.get(quote.feeId) === found) quotes.set(quote.feeId, quote)
      return quotes.get(quote.feeId)
    },
    async close() {
      const kept = quotes
        .dump()
        .map(([, { value }]) => value)
        .filter(isKept)
      try {
        await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 })
        await rename(`${path}.new`, path)
      } catch (err) {
        log.error({ err }, 'quotes could not be saved for the next start')
      }
    }
  }
}

function readQuotes(path: string, log: Logger): unknown[] {
  try {
    const quotes = parseJson(readFileSync(path, 'utf8'))
    if (file.Check(quotes)) return quotes
    log.warn({}, 'quotes file is corrupt; starting without quotes')
  } catch (err) {
    const isMissing = err instanceof Error && 'code' in err && err.code === 'ENOENT'
    if (!isMissing) log.warn({ err }, 'quotes file could not be read')
  }
  return []
}
