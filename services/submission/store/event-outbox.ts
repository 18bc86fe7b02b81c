import type { StoreCorruptError } from './errors.ts'
import type { Delivery, Outbox } from './outbox.ts'
import { type NewEvent, transferFinished } from './payload.ts'
import {
  EVENT_COLUMNS,
  type EventRows,
  REQUEST_COLUMNS,
  toBacklog,
  toOutboxEvents,
  toSettledEvents,
  toWatchedTransfers,
  WATCHED_COLUMNS
} from './rows/event-rows.ts'
import { SUBMISSION_COLUMNS, toSubmissionId } from './rows/index.ts'
import type { DamageObserver } from './rows/read-each.ts'
import { forUpdateSkipLocked, isAnyOf, type Queries, raw, rowsOf, type Sql, sql } from './sql.ts'
import type { Home } from './term-writes.ts'

/** For how long a claimed event or transfer is reserved, in milliseconds. */
const RESERVED_MS = 60_000

/** No event has so many; what a damaged row has must not overflow when it is counted on. */
const MOST_ATTEMPTS = 999_999

const NEW_EVENT = {
  number: 'BIGINT',
  submission_id: 'TEXT',
  type: 'TEXT',
  payload: 'TEXT',
  is_watched: 'BIGINT'
} as const

const DELIVERY = {
  submission_id: 'TEXT',
  type: 'TEXT',
  attempts: 'BIGINT',
  redeliveries: 'BIGINT',
  outcome: 'TEXT',
  delay: 'BIGINT',
  problem: 'TEXT'
} as const

/** The part of the outbox that belongs to the leader's transactions. */
export interface EventWriter {
  /** Writes the events of submissions that the transaction has settled. */
  writeSettled(transaction: Queries, submissionIds: readonly string[]): Promise<void>
}

const deliveryRow = (delivery: Delivery) => ({
  submission_id: delivery.submissionId,
  type: delivery.type,
  attempts: delivery.attempts,
  redeliveries: delivery.redeliveries,
  outcome: delivery.outcome === 'postponed' ? 'pending' : delivery.outcome,
  delay: delivery.outcome === 'postponed' ? delivery.delayMs : 0,
  problem: delivery.outcome === 'delivered' ? null : delivery.problem
})

/** @param onDamage is told of each damaged event once, when it is set aside (interface 23.12) */
export function createOutbox(home: Home, onDamage: DamageObserver = () => {}): Outbox & EventWriter {
  const { database, wallet, now } = home
  const ofWallet = sql`wallet_id = ${wallet}`

  async function insert({ run }: Queries, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const at = sql`CAST(${now()} AS BIGINT)`
    const rows = events.map(({ submissionId, isWatched, ...event }, number) => {
      return { ...event, number, submission_id: submissionId, is_watched: Number(isWatched) }
    })
    // An event that exists stays as it is.
    await run(
      sql`INSERT INTO event (wallet_id, submission_id, type, payload, due_at, watch_due_at, created_at, updated_at)
        SELECT wallet_id, submission_id, type, payload, ${at}, CASE WHEN is_watched = 1 THEN ${at} END,
          ${at}, ${at}
        FROM ${rowsOf('added', wallet, NEW_EVENT, rows)} WHERE true ORDER BY number
        ON CONFLICT (wallet_id, submission_id, type) DO NOTHING`
    )
  }

  /**
   * Claims until there are so many that can be read, or none is left. Damaged ones are set aside in the transaction of their
   * claim, so that none is claimed twice.
   */
  async function claimReadable<T>(
    limit: number,
    claim: (limit: number) => Sql,
    read: (rows: readonly unknown[]) => EventRows<T>
  ): Promise<T[]> {
    const setAside: StoreCorruptError[] = []
    const { readable, damaged } = await database.transaction(async ({ all, run }) => {
      const rows = read(await all(claim(limit)))
      for (const { position, damage } of rows.damaged) {
        const { message } = damage
        const changes = await run(
          sql`UPDATE event SET state = 'given-up', problem = ${message}, updated_at = ${now()}
            WHERE position = ${position} AND (state <> 'given-up' OR problem IS DISTINCT FROM ${message})`
        )
        if (changes > 0) setAside.push(damage)
      }
      return rows
    })
    for (const damage of setAside) onDamage(damage)
    if (damaged.length === 0) return readable
    return [...readable, ...(await claimReadable(damaged.length, claim, read))]
  }

  /** Events that another replica claims at the same time are skipped. */
  const claimEvents = (limit: number) =>
    sql`WITH due AS MATERIALIZED (
        SELECT position FROM event
        WHERE ${ofWallet} AND state = 'pending' AND due_at <= ${now()} AND NOT EXISTS (
          SELECT 1 FROM event AS earlier
          WHERE earlier.wallet_id = ${wallet} AND earlier.submission_id = event.submission_id
            AND earlier.position < event.position AND earlier.state = 'pending')
        ORDER BY due_at, created_at, position LIMIT ${limit} ${forUpdateSkipLocked})
      UPDATE event SET due_at = ${now() + RESERVED_MS},
        attempts = CASE WHEN attempts < ${MOST_ATTEMPTS} THEN attempts ELSE ${MOST_ATTEMPTS} END + 1
      WHERE position IN (SELECT position FROM due)
      RETURNING ${raw(EVENT_COLUMNS)}`

  const claimTransfers = (limit: number) =>
    sql`WITH due AS MATERIALIZED (
        SELECT position FROM event
        WHERE ${ofWallet} AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at <= ${now()}
        ORDER BY watch_due_at LIMIT ${limit} ${forUpdateSkipLocked})
      UPDATE event SET watch_due_at = ${now() + RESERVED_MS} WHERE position IN (SELECT position FROM due)
      RETURNING ${raw(WATCHED_COLUMNS)}`

  return {
    async writeSettled(transaction, submissionIds) {
      const rows = await transaction.all(
        sql`SELECT ${raw(SUBMISSION_COLUMNS)}, ${raw(REQUEST_COLUMNS)} FROM submission
          WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}`
      )
      const byId = new Map(rows.map(row => [toSubmissionId(row), row]))
      const inOrder = submissionIds.flatMap(submissionId => byId.get(submissionId) ?? [])
      await insert(transaction, toSettledEvents(inOrder, onDamage))
    },

    claim: limit => claimReadable(limit, claimEvents, toOutboxEvents),

    record: deliveries =>
      database.transaction(async ({ run }) => {
        await run(
          sql`UPDATE event
            SET state = delivery.outcome, due_at = ${now()} + delivery.delay,
                problem = coalesce(delivery.problem, event.problem), updated_at = ${now()}
            FROM ${rowsOf('delivery', wallet, DELIVERY, deliveries.map(deliveryRow))}
            WHERE event.wallet_id = delivery.wallet_id AND event.submission_id = delivery.submission_id
              AND event.type = delivery.type AND event.redeliveries = delivery.redeliveries
              AND (delivery.outcome = 'delivered' OR event.state = 'pending' AND event.attempts = delivery.attempts)`
        )
      }),

    claimTransfers: limit => claimReadable(limit, claimTransfers, toWatchedTransfers),

    postponeTransfers: (submissionIds, delayMs) =>
      database.transaction(async ({ run }) => {
        await run(
          sql`UPDATE event SET watch_due_at = ${now() + delayMs}
            WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND watch_due_at IS NOT NULL`
        )
      }),

    finish: finished =>
      database.transaction(async transaction => {
        const submissionIds = finished.map(({ transfer }) => transfer.submissionId)
        const rows = await transaction.all(
          sql`UPDATE event SET watch_due_at = NULL
            WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND watch_due_at IS NOT NULL
            RETURNING submission_id`
        )
        const ended = new Set(rows.map(toSubmissionId))
        const events = finished
          .filter(({ transfer }) => ended.has(transfer.submissionId))
          .map(({ transfer, record }) => transferFinished(transfer, record, now()))
        await insert(transaction, events)
      }),

    correctTimes: longestMs =>
      database.transaction(async ({ run }) => {
        const at = now()
        const latest = Math.ceil(at + longestMs)
        const earlier = (column: string) =>
          sql`${raw(column)} = CASE WHEN ${raw(column)} > ${at} THEN ${at} ELSE ${raw(column)} END`
        await run(
          sql`UPDATE event SET due_at = ${at}, ${earlier('watch_due_at')}, ${earlier('created_at')}
            WHERE ${ofWallet} AND state = 'pending' AND due_at > ${latest}`
        )
        await run(
          sql`UPDATE event SET watch_due_at = ${at}, ${earlier('created_at')}
            WHERE ${ofWallet} AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at > ${latest}`
        )
      }),

    backlog: async () =>
      toBacklog(
        await database.get(
          sql`SELECT
            (SELECT count(*) FROM event WHERE ${ofWallet} AND state = 'pending') AS pending,
            (SELECT min(created_at) FROM event WHERE ${ofWallet} AND state = 'pending') AS oldest,
            (SELECT count(*) FROM event WHERE ${ofWallet} AND state <> 'pending' AND state = 'given-up') AS given_up,
            (SELECT count(*) FROM event
             WHERE ${ofWallet} AND watch_due_at IS NOT NULL AND state <> 'pending') AS watched`
        )
      )
  }
}
