import { startLoop } from '../async/loop.ts'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { parseJson } from '../json.ts'
import type { Logger } from '../logger.ts'
import { checkFor } from '../schema-check.ts'
import { MAX_QUOTES, type QuoteBook } from './quote-book.ts'
import { RENEWABLE_MS } from './quote-proof.ts'
import { RememberedQuote } from './remembered-quote.ts'

const known = checkFor(RememberedQuote)

/** The pause between deletions of expired quotes, in milliseconds. */
const FORGET_MS = 60_000

interface TableQuote {
  feeId: string
  keptUntil: number
  text: string
}

/** Times are in milliseconds since the epoch. */
export interface QuoteTable {
  put(quote: TableQuote): Promise<void>
  /** Replaces the quote serialized as `text`, or inserts if `text` is undefined. Does nothing if the row has changed. */
  replace(text: string | undefined, quote: TableQuote): Promise<void>
  /** Returns the serialized quote; undefined if the quote is unknown or its `keptUntil` has passed. */
  find(feeId: string, now: number): Promise<string | undefined>
  /** Deletes quotes past `keptUntil`. If more than `most` remain, deletes those with the earliest `keptUntil`. */
  forget(now: number, most: number): Promise<void>
}

/** Stores quotes in a table shared by all replicas. */
export function createSharedQuoteBook(options: { table: QuoteTable; log: Logger; clock: Clock }): QuoteBook {
  const { table, log, clock } = options

  async function forget(): Promise<number> {
    await table.forget(clock.now(), MAX_QUOTES)
    return FORGET_MS
  }

  async function find(feeId: string): Promise<RememberedQuote | undefined> {
    const text = await table.find(feeId, clock.now()).catch(err => {
      log.error({ err, feeId }, 'quote could not be read')
      throw new ServiceError('INTAKE_CLOSED')
    })
    const quote = text === undefined ? undefined : parseJson(text)
    return known.Check(quote) ? quote : undefined
  }

  const forgetting = startLoop('quotes', forget, { clock, log })

  return {
    now: () => clock.now(),
    async remember(quote) {
      try {
        await table.put(rowOf(quote))
      } catch (err) {
        log.warn(
          { err, feeId: quote.feeId },
          'quote could not be stored; its submission cannot be checked against it'
        )
      }
    },
    find,
    async replace(found, quote) {
      await table.replace(found && JSON.stringify(found), rowOf(quote)).catch(err => {
        log.error({ err, feeId: quote.feeId }, 'renewed quote could not be stored')
        throw new ServiceError('INTAKE_CLOSED')
      })
      return find(quote.feeId)
    },
    close: () => forgetting.stop()
  }
}

function rowOf(quote: RememberedQuote): TableQuote {
  const { feeId, expiresAt } = quote
  return { feeId, keptUntil: expiresAt + RENEWABLE_MS, text: JSON.stringify(quote) }
}
