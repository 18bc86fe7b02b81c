import { identityKey } from '../identities.ts'
import { type DamageObserver, readEach, toHolder, toPlace } from './rows.ts'
import { raw, Sql, type StoreContext, sql } from './sql.ts'
import type { ListingFilter, SubmissionPage } from './types.ts'

const STATUSES = ['queued', 'broadcast', 'committed', 'rejected'] as const

/** Reads a page of a list; see `list` of `createStore`. */
export async function listPage(
  { database, wallet }: StoreContext,
  filter: ListingFilter,
  limit: number,
  onDamage: DamageObserver | undefined
): Promise<SubmissionPage> {
  // The extra row shows whether there is a next page.
  const rows = await database.all(selectListed(wallet, filter, limit + 1))
  const page = rows.slice(0, limit)
  return {
    submissions: readEach(page, toHolder, onDamage),
    // If the last row is damaged, its place may be unreadable too. The next page then starts with that row.
    next: rows.length > limit ? (readEach(page, toPlace).at(-1) ?? toPlace(page.at(-1))) : undefined
  }
}

/**
 * Selects a page. Whatever the filter, the database reads hardly more rows than it returns: a feeId or a txId matches
 * one or two rows, and for the other filters an index has the rows of each status in list order. The cursor and `to`
 * are combined into one condition, because SQLite would otherwise start at `to` and scan to the cursor.
 */
export function selectListed(wallet: number, filter: ListingFilter, limit: number): Sql {
  const { statuses = STATUSES, caller, feeId, txId, from, to, after } = filter
  const ofWallet = sql`wallet_id = ${wallet}`
  const feeKey = feeId !== undefined && identityKey({ kind: 'fee', value: feeId })
  const named = [
    feeKey !== false &&
      sql`submission_id = (SELECT submission_id FROM identity WHERE ${ofWallet} AND key = ${feeKey})`,
    txId !== undefined && sql`tx_id = ${txId}`
  ].filter(condition => condition instanceof Sql)
  const isAfter = after !== undefined && (to === undefined || after.createdAt < to)
  const before = isAfter ? after : to !== undefined && { createdAt: to, submissionId: '' }
  const others = [
    caller !== undefined && sql`caller = ${caller}`,
    from !== undefined && sql`created_at >= ${from}`,
    before && sql`(created_at, submission_id) < (${before.createdAt}, ${before.submissionId})`
  ].filter(condition => condition instanceof Sql)
  const source = named.length > 0 ? raw('named') : raw('submission')
  const newest = sql`ORDER BY created_at DESC, submission_id DESC LIMIT ${limit}`
  const selections = [...new Set(statuses)].map(status => {
    const conditions = every(ofWallet, sql`status || '' = ${status}`, ...others)
    return sql`SELECT * FROM (SELECT * FROM ${source} WHERE ${conditions} ${newest}) AS of_status`
  })
  const page = sql`${selections.reduce((all, one) => sql`${all} UNION ALL ${one}`)} ${newest}`
  if (named.length === 0) return page
  return sql`WITH named AS MATERIALIZED (SELECT * FROM submission WHERE ${every(ofWallet, ...named)}) ${page}`
}

const every = (...conditions: Sql[]): Sql => conditions.reduce((all, one) => sql`${all} AND ${one}`)
