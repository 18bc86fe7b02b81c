import { identityKey } from '../identities.ts'
import type { Submission } from '../types.ts'
import { callerOf, SUBMISSION_COLUMNS, toSubmission } from './rows.ts'
import { isAnyOf, type Queries, raw, type Sql, sql } from './sql.ts'

/** Which submissions to list; each that is given must hold (interface 24.7). */
export interface ListingFilter {
  statuses?: readonly Submission['status'][] | undefined
  caller?: string | undefined
  feeId?: string | undefined
  txId?: number | undefined
  /** Milliseconds since the epoch: accepted then or later. */
  from?: number | undefined
  /** Accepted before. */
  to?: number | undefined
  /** Those that follow this one. */
  after?: { createdAt: number; submissionId: string } | undefined
}

/** A submission with the caller whose key it came with. */
export interface ListedSubmission {
  submission: Submission
  caller: string | undefined
}

/**
 * Lists submissions, the newest first. The order never changes, so that pages neither repeat nor leave out one.
 * @throws StoreCorruptError for a damaged one
 */
export async function listSubmissions(
  { all }: Pick<Queries, 'all'>,
  wallet: number,
  { statuses, caller, feeId, txId, from, to, after }: ListingFilter,
  limit: number
): Promise<ListedSubmission[]> {
  const conditions: (Sql | undefined)[] = [
    sql`wallet_id = ${wallet}`,
    statuses && sql`status ${isAnyOf(statuses)}`,
    caller === undefined ? undefined : sql`caller = ${caller}`,
    feeId === undefined
      ? undefined
      : sql`position = (SELECT position FROM identity
          WHERE wallet_id = ${wallet} AND key = ${identityKey({ kind: 'fee', value: feeId })})`,
    txId === undefined ? undefined : sql`tx_id = ${txId}`,
    from === undefined ? undefined : sql`created_at >= ${from}`,
    to === undefined ? undefined : sql`created_at < ${to}`,
    after && sql`(created_at, submission_id) < (${after.createdAt}, ${after.submissionId})`
  ]
  const where = conditions.filter(condition => condition !== undefined)
  const rows = await all(
    sql`SELECT ${raw(SUBMISSION_COLUMNS)} FROM submission
      WHERE ${where.reduce((both, one) => sql`${both} AND ${one}`)}
      ORDER BY created_at DESC, submission_id DESC LIMIT ${limit}`
  )
  return rows.map(row => ({ submission: toSubmission(row), caller: callerOf(row) }))
}
