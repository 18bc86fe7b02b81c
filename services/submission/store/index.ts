import type { EventEmitter } from 'node:events'
import { coalesce } from '../../async/coalesce.ts'
import { createEngineStore, type Term } from './engine-writes.ts'
import { createIntake } from './intake.ts'
import { listPage } from './listing.ts'
import { createOutbox, type Outbox, type Webhooks } from './outbox.ts'
import {
  readEach,
  toCount,
  toFeeDay,
  toReport,
  toSignerState,
  toSubmission,
  toSubmissionId,
  toTime
} from './rows.ts'
import { allOf, forUpdate, type Home, isAnyOf, type Sql, sql } from './sql.ts'
import { nextEpoch, termWrites } from './term.ts'
import type { Notification, SubmissionStore } from './types.ts'

/** The right to begin a term, which one replica has at a time. */
export interface LeaderLock {
  /** Aborted when it is lost. */
  lost?: AbortSignal
  /** Set where no other process can have it. */
  isAlone?: true
  /** @param notification for the replicas that wait for it */
  release(notification?: Notification): Promise<void>
}

/** Passes the notifications of a store on in this process. */
export type Notifications = EventEmitter<{ notification: [Notification] }>

/** A wallet in an open database, and what the drivers do in different ways. */
export interface StoreDriver extends Home {
  /** @returns undefined while another replica has the lock */
  lock(): Promise<LeaderLock | undefined>
  notifications: Notifications
  close(): Promise<void>
}

/** Finds them by their ids first: the index of all settled submissions would be read in vain. */
export const findSettled = (wallet: number, submissionIds: readonly string[]): Sql =>
  sql`WITH found AS MATERIALIZED (
      SELECT * FROM submission WHERE wallet_id = ${wallet} AND submission_id ${isAnyOf(submissionIds)})
    SELECT * FROM found WHERE status IN ('committed', 'rejected')`

/** The store of a wallet, whichever database it is in. */
export function createStore(driver: StoreDriver, webhooks?: Webhooks): SubmissionStore & { outbox?: Outbox } {
  const { database, wallet, now, lock, notifications } = driver
  const outbox = webhooks && createOutbox(driver, webhooks)
  let present: Term | undefined

  const coalescedRows = coalesce(async (submissionIds: string[]) => {
    const rows = await database.all(
      sql`SELECT * FROM submission WHERE wallet_id = ${wallet} AND submission_id ${isAnyOf(submissionIds)}`
    )
    return new Map(rows.map(row => [toSubmissionId(row).submissionId, row]))
  })

  const inOpenSlots = sql`wallet_id = ${wallet} AND status = 'broadcast'
    AND sequence IN (SELECT sequence FROM slot WHERE wallet_id = ${wallet} AND origin IS NULL)`

  async function stepDown(): Promise<void> {
    await present?.stepDown()
    present = undefined
  }

  return {
    ...createIntake(driver),
    ...(outbox && { outbox }),
    now,
    onNotification: listener => void notifications.on('notification', listener),

    async find(submissionId) {
      const row = (await coalescedRows(submissionId)).get(submissionId)
      return row === undefined ? undefined : toSubmission(row)
    },

    list: (filter, limit, onDamage) => listPage(driver, filter, limit, onDamage),

    findSettled: async submissionIds =>
      readEach(await database.all(findSettled(wallet, submissionIds)), toSubmission),

    async countUnsettled() {
      const row = await database.get(
        sql`SELECT (SELECT count(*) FROM submission WHERE wallet_id = ${wallet} AND status = 'queued') +
              (SELECT count(*) FROM submission WHERE ${inOpenSlots}) AS count`
      )
      return toCount(row).count
    },

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
        return toTime(row).time
      }),

    async feesPaidToday() {
      const row = await database.get(
        sql`SELECT day, amount FROM fee_day WHERE wallet_id = ${wallet}
            AND day = (SELECT cursor_time / 86400000 FROM signer WHERE wallet_id = ${wallet})`
      )
      return row === undefined ? 0n : BigInt(toFeeDay(row).amount)
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
          sql`SELECT submission_id FROM submission
            WHERE wallet_id = ${wallet} AND status IN ('committed', 'rejected')
              AND settled_at < ${now() - keepMs}
              AND settled_at < (SELECT cursor_time FROM signer WHERE wallet_id = ${wallet}) - ${keepMs}
              AND NOT EXISTS (
                SELECT 1 FROM event
                WHERE event.wallet_id = ${wallet} AND event.submission_id = submission.submission_id
                  AND state = 'pending')
            ORDER BY settled_at, position LIMIT ${limit}`
        )
        const old = sql`wallet_id = ${wallet} AND submission_id ${isAnyOf(rows.map(row => toSubmissionId(row).submissionId))}`
        const [, , submissions, slots] = await allOf(
          // Locks identities before their submissions, as intake does. For the order alone, SQLite would go through all keys.
          all(sql`SELECT key FROM identity WHERE ${old} ORDER BY key || '' ${forUpdate}`),
          // A transfer that is not final by then is no longer watched.
          run(sql`DELETE FROM event WHERE ${old}`),
          run(sql`DELETE FROM submission WHERE ${old}`),
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
      }),

    async lead() {
      await stepDown()
      const held = await lock()
      if (held === undefined) return undefined
      const epoch = await nextEpoch(driver).catch(async error => {
        await held.release()
        throw error
      })
      const ending = new AbortController()
      const ended = held.lost ? AbortSignal.any([ending.signal, held.lost]) : ending.signal
      present = {
        epoch,
        store: createEngineStore(driver, termWrites(driver, epoch, ended), outbox),
        ...(held.isAlone && { isAlone: held.isAlone }),
        ended,
        async stepDown() {
          if (ending.signal.aborted) return
          ending.abort()
          await held.release({ kind: 'stepped-down', epoch })
        }
      }
      return present
    },

    async close() {
      await stepDown()
      await driver.close()
    }
  }
}
