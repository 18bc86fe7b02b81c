import { Type } from '@sinclair/typebox'
import { coalesce } from '../../async/coalesce.ts'
import {
  FeeId,
  type NewQuote,
  QuoteAmounts,
  QuoteEnds,
  type QuoteKey,
  type QuoteStore,
  type StoredQuote
} from '../../quotes/contract.ts'
import { StoreCorruptError } from '../errors.ts'
import { mapper, Text, Time, toFeeId } from './rows.ts'
import { insertInto, isAnyOf, type Row, type StoreContext, sql } from './sql.ts'

/** How long a quote is honoured after its expiry, in milliseconds: a page might stay open overnight (interface 5.31). */
const HONOURED_MS = 12 * 60 * 60 * 1000

/** The maximum number of quotes to keep (interface 5.24). A quote takes about a kilobyte. */
const MAX_QUOTES = { ofClient: 5000, ofWallet: 100_000 }

const readQuote = mapper('quote', 'fee_id', {
  feeId: FeeId,
  caller: Type.Optional(Text),
  expiresAt: Time,
  ends: QuoteEnds,
  terms: QuoteAmounts,
  isRefused: Type.Integer({ minimum: 0, maximum: 1 })
})

export function toQuote(row: Row): StoredQuote | StoreCorruptError {
  try {
    const { ends, terms, isRefused, ...quote } = readQuote(row)
    return { ...quote, ...ends, ...terms, isRefused: isRefused === 1 }
  } catch (error) {
    if (error instanceof StoreCorruptError) return error
    throw error
  }
}

/** Creates the functions for quotes. Each wallet has its own. */
export function createQuotes({ database, wallet, now }: StoreContext): QuoteStore {
  /** Of several quotes with one feeId, stores the last. @returns the quotes that are stored */
  const putTogether = coalesce(async (quotes: NewQuote[]) => {
    const newest = new Map(quotes.map(quote => [quote.feeId, quote]))
    const rows = [...newest.values()].map(quote => {
      const { network, feeId, client, caller, expiresAt, origin, target, ...terms } = quote
      const ends = { origin, target }
      return { network, feeId, client, caller, expiresAt, ends, terms, isRefused: false }
    })
    const unlessOther = sql`ORDER BY fee_id
      ON CONFLICT (wallet_id, fee_id, network) DO UPDATE
      SET client = excluded.client, expires_at = excluded.expires_at, terms = excluded.terms
      WHERE quote.is_refused = 0 AND quote.ends = excluded.ends AND quote.caller IS NOT DISTINCT FROM excluded.caller
      RETURNING fee_id`
    const stored = await database.transaction(({ all }) =>
      all(insertInto('quote', wallet, rows, unlessOther))
    )
    return new Set(stored.map(row => newest.get(toFeeId(row).feeId)))
  })

  const rowsTogether = coalesce(async (keys: QuoteKey[]) => {
    const rows = await database.all`SELECT * FROM quote
      WHERE wallet_id = ${wallet} AND fee_id ${isAnyOf(keys.map(({ feeId }) => feeId))}`
    return new Map(rows.map(row => [`${row['network']} ${row['fee_id']}`, row]))
  })

  return {
    putQuote: async quote => (await putTogether(quote)).has(quote),

    async findQuote(key) {
      const row = (await rowsTogether(key)).get(`${key.network} ${key.feeId}`)
      const quote = row && toQuote(row)
      const isOver = quote && 'expiresAt' in quote && quote.expiresAt + HONOURED_MS <= now()
      return isOver ? undefined : quote
    },

    async changeQuote({ network, feeId }, expiredAt, { expiresAt, isRefused }) {
      await database.run`UPDATE quote SET expires_at = ${expiresAt}, is_refused = ${isRefused ? 1 : 0}
        WHERE wallet_id = ${wallet} AND fee_id = ${feeId} AND network = ${network}
          AND expires_at = ${expiredAt} AND is_refused = 0`
    },

    forgetQuotes: (limit, { ofClient, ofWallet } = MAX_QUOTES) =>
      database.transaction(async ({ run }) => {
        const own = sql`FROM quote WHERE wallet_id = ${wallet}`
        const newestFirst = sql`ORDER BY expires_at DESC, position DESC`
        const expired = sql`SELECT position ${own} AND expires_at <= ${now() - HONOURED_MS} LIMIT ${limit}`
        const ofClients = sql`SELECT position FROM (
            SELECT position, row_number() OVER (PARTITION BY client ${newestFirst}) AS place ${own}
              AND client IN (SELECT client ${own} GROUP BY client HAVING count(*) > ${ofClient})
          ) AS ranked WHERE place > ${ofClient} LIMIT ${limit}`
        const others = sql`SELECT position ${own} ${newestFirst} LIMIT ${limit} OFFSET ${ofWallet}`
        let deleted = 0
        for (const positions of [expired, ofClients, others])
          deleted += await run`DELETE FROM quote WHERE position IN (${positions})`
        return deleted
      })
  }
}
