import type { Clock } from '../clock.ts'
import { IntakeClosedError } from '../errors/index.ts'
import { parseJson } from '../json.ts'
import type { Logger } from '../logger.ts'
import { checkFor } from '../schema-check.ts'
import { startLoop } from '../submission/runtime/loop.ts'
import { MAX_QUOTES, type QuoteBook } from './quote-book.ts'
import { RememberedQuote } from './remembered-quote.ts'

const known = checkFor(RememberedQuote)

/** The pause between two deletions of quotes that have expired. */
const FORGET_MS = 60_000

/** A table that replicas share. Times are in milliseconds since the epoch. */
export interface QuoteTable {
  put(quote: { feeId: string; expiresAt: number; text: string }): Promise<void>
  /** @returns the text of a quote that has not expired */
  find(feeId: string, now: number): Promise<string | undefined>
  /** Deletes quotes that have expired, and of more than `most` those that expire first. */
  forget(now: number, most: number): Promise<void>
}

/** Quotes that any replica may have given. */
export function createSharedQuoteBook(options: { table: QuoteTable; log: Logger; clock: Clock }): QuoteBook {
  const { table, log, clock } = options

  async function forget(): Promise<number> {
    await table.forget(clock.now(), MAX_QUOTES)
    return FORGET_MS
  }

  const forgetting = startLoop('quotes', forget, { clock, log })

  return {
    now: () => clock.now(),
    async remember(quote) {
      const { feeId, expiresAt } = quote
      try {
        await table.put({ feeId, expiresAt, text: JSON.stringify(quote) })
      } catch (err) {
        log.warn({ err, feeId }, 'this quote cannot be compared with its submission')
      }
    },
    async find(feeId) {
      const text = await table.find(feeId, clock.now()).catch(err => {
        log.error({ err, feeId }, 'the quote of a submission could not be read')
        throw new IntakeClosedError()
      })
      const quote = text === undefined ? undefined : parseJson(text)
      return known.Check(quote) ? quote : undefined
    },
    close: () => forgetting.stop()
  }
}
