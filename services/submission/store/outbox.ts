import { Type } from '@sinclair/typebox'
import type { StatusRecord } from '../../status/record.ts'
import type { DamageObserver, Notice, QueuedMessage, Submission } from '../contract.ts'
import type { StoreCorruptError } from '../errors.ts'
import { isSettled } from '../view.ts'
import { appended, historyLine } from './history.ts'
import {
  EventKey,
  EventRequest,
  eventIdOf,
  Kind,
  type NewEvent,
  noticeOf,
  submissionSettled,
  transferFinished,
  type WatchedTransfer
} from './payload.ts'
import { Count, FromOne, mapper, readEach, Text, Time } from './rows.ts'
import {
  allOf,
  forUpdateSkipLocked,
  insertInto,
  isAnyOf,
  type Queries,
  type Row,
  raw,
  rowsOf,
  type Sql,
  type StoreContext,
  sql
} from './sql.ts'

/** How a delivery attempt ended. `problem` is a short message for the operator, without secrets. */
export type Delivery = Pick<OutboxEvent, 'submissionId' | 'type' | 'attempts' | 'redeliveries'> &
  (
    | { outcome: 'delivered'; response?: string }
    | { outcome: 'postponed'; delayMs: number; problem: string }
    /**
     * The event is not retried unless an operator requests it. Later events of the submission no longer wait for it.
     */
    | { outcome: 'abandoned'; problem: string }
  )

export interface Webhooks {
  /** Called once for each damaged event, when it is abandoned (interface 23.12). */
  onDamage?: DamageObserver
}

export interface EventSelection {
  state?: 'pending' | 'delivered' | 'abandoned'
  submissionId?: string
}

/** How long a claim reserves an event or transfer. */
const RESERVED_MS = 60_000

/**
 * The maximum number of attempts that is stored, so that the count of a damaged row cannot overflow. No intact event
 * reaches it.
 */
const MAX_ATTEMPTS = 999_999

const readClaimed = mapper('event', 'submission_id', {
  ...EventKey.properties,
  // A malformed event must never be signed and sent.
  payload: Type.Object({ type: Text, timestamp: Text, data: Type.Object({}) }),
  createdAt: Time,
  attempts: FromOne,
  redeliveries: Count
})

/** An event that a claim has reserved. */
export interface OutboxEvent extends EventKey {
  /** The same for all attempts, even if the store is restored from a backup. */
  eventId: string
  /** The exact JSON body. */
  payload: string
  /** In the store's time, in milliseconds since the epoch. */
  createdAt: number
  /** Includes the attempt that this claim starts. Identifies the claim. */
  attempts: number
  /** Redeliveries that an operator has requested. Attempts that started before the latest one do not count. */
  redeliveries: number
}

function toOutboxEvent(row: Row): OutboxEvent {
  const event = readClaimed(row)
  return { ...event, eventId: eventIdOf(event), payload: String(row['payload']) }
}

const readWatched = mapper('event', 'submission_id', {
  submissionId: Text,
  payload: Type.Object({
    data: Type.Object({
      kind: Kind,
      submission: Type.Object({ txId: FromOne }),
      request: EventRequest
    })
  }),
  createdAt: Time
})

function toWatchedTransfer(row: Row): WatchedTransfer {
  const { submissionId, payload, createdAt: committedAt } = readWatched(row)
  const { kind, submission, request } = payload.data
  return { submissionId, txId: submission.txId, kind, request, committedAt }
}

const toWatchedId = mapper('event', 'submission_id', { submissionId: Text })

export interface Backlog {
  pending: number
  /** When the oldest pending event was written. Not validated: a damaged row must not hide the other counts. */
  oldestPendingAt?: number
  abandoned: number
}

const toBacklog: (row: Row | undefined) => Backlog = mapper('event', '', {
  pending: Count,
  oldestPendingAt: Type.Optional(Type.Number()),
  abandoned: Count
})

const positionOf = (row: Row) => Number(row['position'])

export function selected(wallet: number, { state, submissionId }: EventSelection): Sql {
  const ofSubmission = submissionId === undefined ? sql`` : sql`AND submission_id = ${submissionId}`
  const inState = state === undefined ? sql`` : sql`AND state = ${state}`
  return sql`wallet_id = ${wallet} ${inState} ${ofSubmission}`
}

/**
 * The outbox of webhook events. The transaction that settles a submission also writes its event, so no event is lost or
 * invented. Every replica may claim events. A claim lasts 60 seconds; if the replica dies, the event becomes due again.
 * Every method follows the rules of `SubmissionStore` and may be repeated.
 */
export interface Outbox {
  /**
   * Reserves up to `limit` events that are due and have no earlier pending event of the same submission, longest due
   * first. Abandons damaged events, with the damage as their problem.
   */
  claim(limit: number): Promise<OutboxEvent[]>
  /**
   * Records how attempts ended. A delivery always counts, unless an operator has requested redelivery since the attempt
   * started. Any other outcome counts only if it comes from the newest claim of the event.
   */
  record(deliveries: readonly Delivery[]): Promise<void>
  /**
   * Reserves transfers that are due. Watching starts once the event of the committed submission is no longer pending:
   * before that, the event of the transfer would have to wait anyway. Abandons the event of a damaged transfer.
   */
  claimTransfers(limit: number): Promise<WatchedTransfer[]>
  postponeTransfers(transfers: readonly { submissionId: string; delayMs: number }[]): Promise<void>
  /** Writes the events of final transfers, unless another replica has done so, and stops watching. */
  finish(finished: readonly { transfer: WatchedTransfer; record: StatusRecord }[]): Promise<void>
  /** Makes events due now, as if never delivered. @returns the number of events that match every given field */
  redeliver(selection: EventSelection): Promise<number>
  /**
   * Makes events and transfers due now if they are postponed for longer than the longest pause. Such a postponement
   * shows that the clock was wrong when it was written.
   */
  correctTimes(longestMs: number): Promise<void>
  backlog(): Promise<Backlog>
}

export interface EventWriter {
  writeNotices(transaction: Queries, notices: readonly Notice[]): Promise<void>
  writeSettled(
    transaction: Queries,
    settled: readonly { submission: Submission; content: QueuedMessage }[]
  ): Promise<void>
}

export function createOutbox(
  { database, wallet, now }: StoreContext,
  { onDamage = () => {} }: Webhooks = {}
): Outbox & EventWriter {
  const ofWallet = sql`wallet_id = ${wallet}`

  async function insert({ run }: Queries, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const at = now()
    const times = { dueAt: at, createdAt: at, updatedAt: at }
    const rows = events.map(({ isWatched, ...event }) => {
      return { ...event, state: 'pending', ...times, watchDueAt: isWatched ? at : undefined }
    })
    const unlessThere = sql`ON CONFLICT (wallet_id, submission_id, type) DO NOTHING`
    await run(insertInto('event', wallet, rows, unlessThere))
  }

  /**
   * Claims rows until `limit` readable rows are claimed or no row is left. Abandons damaged rows in the same
   * transaction, so that they are not claimed again.
   */
  async function claimReadable<T>(
    limit: number,
    claim: (limit: number) => Sql,
    read: (row: Row) => T
  ): Promise<T[]> {
    const { readable, damaged } = await database.transaction(async ({ all, run }) => {
      const rows = (await all(claim(limit))).sort((a, b) => positionOf(a) - positionOf(b))
      const damaged: { damage: StoreCorruptError; isNew: Promise<number> }[] = []
      const readable = readEach(rows, read, (damage, row) => {
        const { message } = damage
        const isNew = run`UPDATE event SET state = 'abandoned', problem = ${message}, updated_at = ${now()}
          WHERE position = ${positionOf(row)} AND (state <> 'abandoned' OR problem IS DISTINCT FROM ${message})`
        damaged.push({ damage, isNew })
      })
      await allOf(...damaged.map(({ isNew }) => isNew))
      return { readable, damaged }
    })
    for (const { damage, isNew } of damaged) if ((await isNew) > 0) onDamage(damage)
    if (damaged.length === 0) return readable
    return [...readable, ...(await claimReadable(damaged.length, claim, read))]
  }

  const claimEvents = (limit: number) =>
    sql`WITH due AS MATERIALIZED (
        SELECT position FROM event
        WHERE ${ofWallet} AND state = 'pending' AND due_at <= ${now()} AND NOT EXISTS (
          SELECT 1 FROM event AS earlier
          WHERE earlier.wallet_id = ${wallet} AND earlier.submission_id = event.submission_id
            AND earlier.position < event.position AND earlier.state = 'pending')
        ORDER BY due_at, created_at, position LIMIT ${limit} ${forUpdateSkipLocked})
      UPDATE event SET due_at = ${now() + RESERVED_MS},
        attempts = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN attempts ELSE ${MAX_ATTEMPTS} END + 1
      WHERE position IN (SELECT position FROM due)
      RETURNING *`

  const claimTransfers = (limit: number) =>
    sql`WITH due AS MATERIALIZED (
        SELECT position FROM event
        WHERE ${ofWallet} AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at <= ${now()}
        ORDER BY watch_due_at LIMIT ${limit} ${forUpdateSkipLocked})
      UPDATE event SET watch_due_at = ${now() + RESERVED_MS} WHERE position IN (SELECT position FROM due)
      RETURNING *`

  return {
    writeNotices: (transaction, notices) =>
      insert(
        transaction,
        notices.map(notice => noticeOf(notice, now()))
      ),

    writeSettled: (transaction, settled) =>
      insert(
        transaction,
        settled.flatMap(({ submission, content }) =>
          isSettled(submission) ? submissionSettled(submission, content) : []
        )
      ),

    claim: limit => claimReadable(limit, claimEvents, toOutboxEvent),

    async record(deliveries) {
      const at = now()
      const rows = deliveries.map(delivery => {
        const isPostponed = delivery.outcome === 'postponed'
        const dueAt = Math.ceil(at + (isPostponed ? delivery.delayMs : 0))
        const { outcome, attempts: attempt } = delivery
        const response = outcome === 'delivered' ? delivery.response : delivery.problem
        const history = historyLine({ at, what: 'attempt', attempt, outcome, response })
        return { ...delivery, state: isPostponed ? 'pending' : outcome, dueAt, history }
      })
      await database.run`UPDATE event
        SET state = delivery.state, due_at = delivery.due_at, problem = coalesce(delivery.problem, event.problem),
            updated_at = ${at}, history = ${appended('event', sql`delivery.history`)}
        FROM ${rowsOf('event', 'delivery', wallet, rows)}
        WHERE event.wallet_id = delivery.wallet_id AND event.submission_id = delivery.submission_id
          AND event.type = delivery.type AND event.redeliveries = delivery.redeliveries
          AND (delivery.state = 'delivered' OR event.state = 'pending' AND event.attempts = delivery.attempts)`
    },

    claimTransfers: limit => claimReadable(limit, claimTransfers, toWatchedTransfer),

    async postponeTransfers(transfers) {
      const rows = transfers.map(({ submissionId, delayMs }) => {
        return { submissionId, watchDueAt: Math.ceil(now() + delayMs) }
      })
      await database.run`UPDATE event SET watch_due_at = postponed.watch_due_at
        FROM ${rowsOf('event', 'postponed', wallet, rows)}
        WHERE event.wallet_id = postponed.wallet_id AND event.submission_id = postponed.submission_id
          AND event.watch_due_at IS NOT NULL`
    },

    finish: finished =>
      database.transaction(async transaction => {
        const submissionIds = finished.map(({ transfer }) => transfer.submissionId)
        const rows = await transaction.all`UPDATE event SET watch_due_at = NULL
          WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND watch_due_at IS NOT NULL
          RETURNING submission_id`
        const watched = new Set(rows.map(row => toWatchedId(row).submissionId))
        const events = finished
          .filter(({ transfer }) => watched.has(transfer.submissionId))
          .map(({ transfer, record }) => transferFinished(transfer, record, now()))
        await insert(transaction, events)
      }),

    redeliver: selection =>
      database.run`UPDATE event
        SET state = 'pending', attempts = 0, redeliveries = redeliveries + 1, due_at = ${now()}, updated_at = ${now()}
        WHERE ${selected(wallet, selection)}`,

    correctTimes: longestMs =>
      database.transaction(async ({ run }) => {
        const at = now()
        const latest = Math.ceil(at + longestMs)
        const earlier = (column: string) =>
          sql`${raw(column)} = CASE WHEN ${raw(column)} > ${at} THEN ${at} ELSE ${raw(column)} END`
        await run`UPDATE event SET due_at = ${at}, ${earlier('watch_due_at')}, ${earlier('created_at')}
          WHERE ${ofWallet} AND state = 'pending' AND due_at > ${latest}`
        await run`UPDATE event SET watch_due_at = ${at}, ${earlier('created_at')}
          WHERE ${ofWallet} AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at > ${latest}`
      }),

    async backlog(): Promise<Backlog> {
      const row = await database.get`SELECT
          (SELECT count(*) FROM event WHERE ${ofWallet} AND state = 'pending') AS pending,
          (SELECT min(created_at) FROM event WHERE ${ofWallet} AND state = 'pending') AS oldest_pending_at,
          (SELECT count(*) FROM event WHERE ${ofWallet} AND state <> 'pending' AND state = 'abandoned') AS abandoned`
      return toBacklog(row)
    }
  }
}
