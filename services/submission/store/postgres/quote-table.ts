import { Type } from '@sinclair/typebox'
import { coalesce } from '../../../async/coalesce.ts'
import type { QuoteTable } from '../../../quotes/shared-quote-book.ts'
import { storedText } from '../../identities.ts'
import { mapper } from '../rows.ts'
import { type Database, isAnyOf, sql } from '../sql.ts'

const toQuote = mapper('quote', 'fee_id', { feeId: Type.String(), quote: Type.String() })

/** Creates the table of quotes that all replicas of a wallet share. */
export function createQuoteTable(database: Database, wallet: number): QuoteTable {
  const coalescedFind = coalesce(async (wanted: { feeId: string; now: number }[]) => {
    const feeIds = wanted.map(({ feeId }) => feeId)
    const now = Math.max(...wanted.map(({ now }) => now))
    const rows = await database.all(
      sql`SELECT fee_id, quote FROM quote
        WHERE wallet_id = ${wallet} AND fee_id ${isAnyOf(feeIds)} AND expires_at > ${now}`
    )
    return new Map(rows.map(toQuote).map(({ feeId, quote }) => [feeId, quote]))
  })

  const insert = ({ feeId, keptUntil, text }: Parameters<QuoteTable['put']>[0]) =>
    sql`INSERT INTO quote (wallet_id, fee_id, expires_at, quote)
      VALUES (${wallet}, ${storedText(feeId)}, ${keptUntil}, ${text})
      ON CONFLICT (wallet_id, fee_id) DO UPDATE SET expires_at = excluded.expires_at, quote = excluded.quote`

  return {
    put: async quote => void (await database.run(insert(quote))),
    replace: async (before = '', quote) =>
      void (await database.run(sql`${insert(quote)} WHERE quote.quote = ${before}`)),
    async find(feeId, now) {
      const key = storedText(feeId)
      return (await coalescedFind({ feeId: key, now })).get(key)
    },
    async forget(now, most) {
      await database.run(
        sql`DELETE FROM quote WHERE wallet_id = ${wallet} AND (expires_at <= ${now} OR fee_id IN
          (SELECT fee_id FROM quote WHERE wallet_id = ${wallet} ORDER BY expires_at DESC OFFSET ${most}))`
      )
    }
  }
}
