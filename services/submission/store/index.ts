import type { EventEmitter } from 'node:events'
import { coalesce } from '../../async/coalesce.ts'
import type {
  DamageObserver,
  ListingFilter,
  Notification,
  RequestKind,
  Submission,
  SubmissionPage,
  SubmissionStore,
  Term,
  WalletState
} from '../contract.ts'
import { createEngineStore } from './engine-writes.ts'
import { feesPaidToday } from './fee-day.ts'
import { createIntake, EXECUTED } from './intake.ts'
import { selectListed } from './listing.ts'
import { createLocks } from './locks.ts'
import { createOutbox, type Webhooks } from './outbox.ts'
import { kindOf, lockIn, NOTICE_TYPES } from './payload.ts'
import { createQuotes } from './quotes.ts'
import {
  readEach,
  toCount,
  toHolder,
  toPlace,
  toQueuedMessage,
  toReport,
  toSubmission,
  toSubmissionId,
  toTime,
  toTypeUrl,
  toWalletState
} from './rows.ts'
import { allOf, forUpdate, isAnyOf, readOne, type StoreContext, sql } from './sql.ts'
import { nextEpoch, termWrites } from './term.ts'

/** The right to begin a term. Only one replica has the lock at a time. */
export interface LeaderLock {
  lost?: AbortSignal
  /** True if no other process can take the lock. */
  isAlone?: true
  release(): Promise<void>
}

export type Notifications = EventEmitter<{ notification: [Notification] }>

/** A wallet in an open database, with the functions that differ between drivers. */
export interface StoreDriver extends StoreContext {
  /** @returns undefined while another replica has the lock */
  lock(): Promise<LeaderLock | undefined>
  notifications: Notifications
  close(): Promise<void>
}

/** Creates the store on a database, with an outbox if there is a receiver of webhooks. */
export function createStore(
  driver: StoreDriver,
  webhooks?: Webhooks
): SubmissionStore & { outbox?: ReturnType<typeof createOutbox> } {
  const { database, wallet, now, lock, notifications } = driver
  const outbox = webhooks && createOutbox(driver, webhooks)
  const ofWallet = sql`wallet_id = ${wallet}`
  let current: Term | undefined

  const coalescedRows = coalesce(async (submissionIds: string[]) => {
    const rows = await database.all`SELECT * FROM submission
      WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}`
    return new Map(rows.map(row => [toSubmissionId(row).submissionId, row]))
  })

  const isQueued = sql`${ofWallet} AND status = 'queued'`
  const inOpenSlots = sql`${ofWallet} AND status = 'broadcast'
    AND sequence IN (SELECT sequence FROM slot WHERE ${ofWallet} AND origin IS NULL)`

  async function stepDown(): Promise<void> {
    await current?.stepDown()
    current = undefined
  }

  return {
    ...createIntake(driver),
    ...createQuotes(driver),
    ...createLocks(driver),
    ...(outbox && { outbox }),
    now,
    onNotification(listener: (notification: Notification) => void): void {
      notifications.on('notification', listener)
    },

    async find(submissionId: string): Promise<Submission | undefined> {
      const row = (await coalescedRows(submissionId)).get(submissionId)
      return row === undefined ? undefined : toSubmission(row)
    },

    async list(filter: ListingFilter, limit: number, onDamage?: DamageObserver): Promise<SubmissionPage> {
      const rows = await database.all(selectListed(wallet, filter, limit + 1))
      const page = rows.slice(0, limit)
      return {
        submissions: readEach(page, toHolder, onDamage),
        // If the last row is damaged, its place might be unreadable too. The next page then starts with that row.
        next: rows.length > limit ? (readEach(page, toPlace).at(-1) ?? toPlace(page.at(-1))) : undefined
      }
    },

    async kindOf(txId: number): Promise<RequestKind | undefined> {
      const rows = await database.all`SELECT submission_id, type_url FROM submission
        WHERE ${ofWallet} AND tx_id = ${txId}`
      const kinds = rows.map(row => kindOf(toTypeUrl(row).typeUrl))
      return kinds.includes('transfer') ? 'transfer' : kinds.find(kind => kind === 'swap')
    },

    async lockOf(txId: number) {
      const rows = await database.all`SELECT * FROM submission WHERE ${ofWallet} AND tx_id = ${txId}`
      return readEach(rows, toQueuedMessage)
        .flatMap(({ typeUrl, message }) => lockIn(typeUrl, message) ?? [])
        .at(0)
    },

    async findSettled(submissionIds: readonly string[]): Promise<Submission[]> {
      // Looks up the ids first, so that the database does not scan all settled submissions.
      const rows = await database.all`WITH found AS MATERIALIZED (
          SELECT * FROM submission WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)})
        SELECT * FROM found WHERE status IN ('committed', 'rejected')`
      return readEach(rows, toSubmission)
    },

    async countUnsettled(): Promise<number> {
      const row = await database.get`SELECT (SELECT count(*) FROM submission WHERE ${isQueued}) +
        (SELECT count(*) FROM submission WHERE ${inOpenSlots}) AS count`
      return toCount(row).count
    },

    async oldestUnsettled(): Promise<number | undefined> {
      const row = await database.transaction(
        ({ get }) => get`SELECT min(created_at) AS time FROM (
          SELECT created_at FROM (
            SELECT created_at FROM submission WHERE ${isQueued} ORDER BY position LIMIT 1) AS next
          UNION ALL
          SELECT created_at FROM submission WHERE ${inOpenSlots}) AS unsettled`
      )
      return toTime(row).time
    },

    feesPaidToday: () => feesPaidToday(driver),

    walletState: (): Promise<WalletState | undefined> =>
      readOne(database.get`SELECT * FROM wallet_state WHERE ${ofWallet}`, toWalletState),

    report: () =>
      readOne(
        database.get`SELECT report, ${now()} - reported_at AS age_ms FROM wallet
          WHERE ${ofWallet} AND report IS NOT NULL`,
        toReport
      ),

    forget: (keepMs: number, limit: number): Promise<number> =>
      database.transaction(async ({ all, run }) => {
        // `cursor_time` is NULL before the first block, so no submission counts as old then.
        const rows = await all`SELECT submission_id, status FROM submission
          WHERE ${ofWallet} AND status IN ('committed', 'rejected')
            AND settled_at < ${now() - keepMs}
            AND settled_at < (SELECT cursor_time FROM wallet_state WHERE ${ofWallet}) - ${keepMs}
            AND NOT EXISTS (
              SELECT 1 FROM event
              WHERE event.wallet_id = ${wallet} AND event.submission_id = submission.submission_id
                AND state = 'pending')
          ORDER BY settled_at, position LIMIT ${limit}`
        const ofSubmissions = (some: typeof rows) =>
          sql`${ofWallet} AND submission_id ${isAnyOf(some.map(row => toSubmissionId(row).submissionId))}`
        const old = ofSubmissions(rows)
        const refused = ofSubmissions(rows.filter(({ status }) => status === 'rejected'))
        const executed = ofSubmissions(rows.filter(({ status }) => status === 'committed'))
        const [, , , , , , submissions, slots] = await allOf(
          // Lock identities before their submissions, as intake does. With `ORDER BY key`, SQLite would scan all keys.
          all`SELECT key FROM identity WHERE ${old} ORDER BY key || '' ${forUpdate}`,
          // A refused payment stays bound to its target, and an executed one stays executed (interface 7.29).
          run`UPDATE identity SET submission_id = NULL WHERE ${refused} AND target IS NOT NULL`,
          run`UPDATE identity SET submission_id = NULL, target = ${EXECUTED}, caller = NULL
            WHERE ${executed} AND target IS NOT NULL`,
          run`DELETE FROM identity WHERE ${old}`,
          // This also stops watching a transfer that is still not final.
          run`DELETE FROM event WHERE ${old}`,
          run`DELETE FROM former_tx WHERE ${old}`,
          run`DELETE FROM submission WHERE ${old}`,
          run`DELETE FROM slot WHERE ${ofWallet} AND sequence IN
            (SELECT sequence FROM slot
             WHERE ${ofWallet} AND origin IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM signed_tx
                 WHERE signed_tx.wallet_id = slot.wallet_id AND signed_tx.sequence = slot.sequence)
               AND sequence < coalesce(
                 (SELECT min(sequence) FROM submission WHERE ${ofWallet} AND sequence IS NOT NULL),
                 (SELECT next_sequence FROM wallet_state WHERE ${ofWallet}))
             ORDER BY sequence LIMIT ${limit})`,
          run`DELETE FROM event WHERE ${ofWallet} AND state <> 'pending'
            AND type ${isAnyOf(NOTICE_TYPES)} AND updated_at < ${now() - keepMs}`
        )
        return submissions + slots
      }),

    async lead(): Promise<Term | undefined> {
      await stepDown()
      const held = await lock()
      if (held === undefined) return undefined
      const epoch = await nextEpoch(driver).catch(async error => {
        await held.release()
        throw error
      })
      const ending = new AbortController()
      const ended = held.lost ? AbortSignal.any([ending.signal, held.lost]) : ending.signal
      current = {
        epoch,
        store: createEngineStore(driver, termWrites(driver, epoch, ended), outbox),
        ...(held.isAlone && { isAlone: held.isAlone }),
        ended,
        async stepDown() {
          if (ending.signal.aborted) return
          ending.abort()
          await held.release()
        }
      }
      return current
    },

    async close(): Promise<void> {
      await stepDown()
      await driver.close()
    }
  }
}
