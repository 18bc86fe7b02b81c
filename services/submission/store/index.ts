import { coalesce } from '../../async/coalesce.ts'
import { createIntake } from './intake.ts'
import { listSubmissions } from './listing.ts'
import {
  readEach,
  SUBMISSION_COLUMNS,
  toAmount,
  toCount,
  toPosition,
  toReport,
  toSignerState,
  toSubmission,
  toSubmissionId,
  toTime
} from './rows.ts'
import { forUpdate, isAnyOf, raw, type Sql, sql } from './sql.ts'
import { allOf, type Home } from './term-writes.ts'
import type { News, SubmissionStore } from './types.ts'

const COLUMNS = raw(SUBMISSION_COLUMNS)

const findSubmissions = (wallet: number, submissionIds: readonly string[]): Sql =>
  sql`SELECT ${COLUMNS} FROM submission WHERE wallet_id = ${wallet} AND submission_id ${isAnyOf(submissionIds)}`

/** Finds them by their ids first: the index of all settled submissions would be read in vain. */
export const findSettled = (wallet: number, submissionIds: readonly string[]): Sql =>
  sql`WITH found AS MATERIALIZED (${findSubmissions(wallet, submissionIds)})
    SELECT * FROM found WHERE status IN ('committed', 'rejected')`

/** What the store is to every replica, whichever database it is in. */
export function createStore(home: Home): Omit<SubmissionStore, 'onNews' | 'lead' | 'close'> {
  const { database, wallet, now } = home

  const coalescedRows = coalesce(async (submissionIds: string[]) => {
    const rows = await database.all(findSubmissions(wallet, submissionIds))
    return new Map(rows.map(row => [toSubmissionId(row), row]))
  })

  const inOpenSlots = sql`wallet_id = ${wallet} AND status = 'broadcast'
    AND sequence IN (SELECT sequence FROM slot WHERE wallet_id = ${wallet} AND origin IS NULL)`

  return {
    ...createIntake(home),
    now,

    async find(submissionId) {
      const row = (await coalescedRows(submissionId)).get(submissionId)
      return row === undefined ? undefined : toSubmission(row)
    },

    list: (filter, limit) => listSubmissions(database, wallet, filter, limit),

    findSettled: async submissionIds =>
      readEach(await database.all(findSettled(wallet, submissionIds)), toSubmission),

    countUnsettled: async () =>
      toCount(
        await database.get(
          sql`SELECT (SELECT count(*) FROM submission WHERE wallet_id = ${wallet} AND status = 'queued') +
                (SELECT count(*) FROM submission WHERE ${inOpenSlots}) AS count`
        )
      ),

    /** As a transaction, which begins with a look at whether anything can be written. */
    oldestUnsettled: () =>
      database.transaction(async ({ get }) => {
        const row = await get(
          sql`SELECT min(created_at) AS time FROM (
            SELECT created_at FROM (
              SELECT created_at FROM submission WHERE wallet_id = ${wallet} AND status = 'queued'
              ORDER BY position LIMIT 1) AS next
            UNION ALL
            SELECT created_at FROM submission WHERE ${inOpenSlots}) AS unsettled`
        )
        return toTime(row) ?? undefined
      }),

    async feesPaidToday() {
      const row = await database.get(
        sql`SELECT amount FROM fee_day WHERE wallet_id = ${wallet}
            AND day = (SELECT cursor_time / 86400000 FROM signer WHERE wallet_id = ${wallet})`
      )
      return row === undefined ? 0n : toAmount(row)
    },

    async signer() {
      const row = await database.get(sql`SELECT * FROM signer WHERE wallet_id = ${wallet}`)
      return row === undefined ? undefined : toSignerState(row)
    },

    async report() {
      const row = await database.get(
        sql`SELECT report, ${now()} - reported_at AS age_ms FROM wallet
          WHERE wallet_id = ${wallet} AND report IS NOT NULL`
      )
      return row === undefined ? undefined : toReport(row)
    },

    forget: (keepMs, limit) =>
      database.transaction(async ({ all, run }) => {
        // Nothing is old before the first block.
        const rows = await all(
          sql`SELECT position FROM submission
            WHERE wallet_id = ${wallet} AND status IN ('committed', 'rejected')
              AND settled_at < ${now() - keepMs}
              AND settled_at < (SELECT cursor_time FROM signer WHERE wallet_id = ${wallet}) - ${keepMs}
              AND NOT EXISTS (
                SELECT 1 FROM event
                WHERE event.wallet_id = ${wallet} AND event.submission_id = submission.submission_id
                  AND state = 'pending')
            ORDER BY settled_at, position LIMIT ${limit}`
        )
        const positions = rows.map(toPosition)
        const [, , submissions, slots] = await allOf(
          // Locks identities before their submissions, as intake does.
          all(
            sql`SELECT key FROM identity WHERE position ${isAnyOf(positions)} ORDER BY wallet_id, key ${forUpdate}`
          ),
          // A transfer that is not final by then is no longer watched.
          run(
            sql`DELETE FROM event WHERE wallet_id = ${wallet} AND submission_id IN
              (SELECT submission_id FROM submission WHERE position ${isAnyOf(positions)})`
          ),
          run(sql`DELETE FROM submission WHERE position ${isAnyOf(positions)}`),
          run(
            sql`DELETE FROM slot WHERE wallet_id = ${wallet} AND sequence IN
              (SELECT sequence FROM slot
               WHERE wallet_id = ${wallet} AND origin IS NOT NULL
                 AND sequence < coalesce((SELECT min(sequence) FROM submission WHERE wallet_id = ${wallet} AND sequence IS NOT NULL),
                                         (SELECT next_sequence FROM signer WHERE wallet_id = ${wallet}))
               ORDER BY sequence LIMIT ${limit})`
          )
        )
        return submissions + slots
      })
  }
}

/** The listeners of a store in this process. */
export interface NewsDesk {
  onNews(listener: (news: News) => void): void
  announce(news: News): void
}

export function createNewsDesk(): NewsDesk {
  const listeners: ((news: News) => void)[] = []
  return {
    onNews: listener => void listeners.push(listener),
    announce(news) {
      for (const listener of listeners) listener(news)
    }
  }
}
