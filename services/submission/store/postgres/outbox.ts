import { type Claimed, claimReadable } from '../claimed-events.ts'
import type { Outbox } from '../outbox.ts'
import { MOST_ATTEMPTS, RESERVED_MS } from '../outbox-times.ts'
import { type NewEvent, transferFinished } from '../payload.ts'
import {
  type DamagedEvent,
  EVENT_COLUMNS,
  type EventRows,
  REQUEST_COLUMNS,
  toBacklog,
  toOutboxEvents,
  toSettledEvents,
  toWatchedTransfers,
  WATCHED_COLUMNS
} from '../rows/event-rows.ts'
import { SUBMISSION_COLUMNS, toSubmissionId } from '../rows/index.ts'
import type { DamageObserver } from '../rows/read-each.ts'
import type { Database } from './database.ts'
import { type Queries, statements } from './queries.ts'

/** The outbox of a wallet, with the part of it that belongs to the leader's transactions. */
export interface PostgresOutbox extends Outbox {
  /** Writes the events of submissions that the transaction of these queries has settled. */
  writeSettled(queries: Queries, submissionIds: readonly string[]): Promise<void>
}

/** @param options.now as for the store */
export function createPostgresOutbox(options: {
  database: Database
  wallet: number
  now: () => number
  onDamage?: DamageObserver
}): PostgresOutbox {
  const { database, wallet, now, onDamage = () => {} } = options

  /** In the transaction of the claim, so that nothing damaged is claimed twice. */
  async function setAside<T>(queries: Queries, rows: EventRows<T>): Promise<Claimed<T>> {
    const setAside: DamagedEvent[] = []
    for (const damaged of rows.damaged) {
      const { position, damage } = damaged
      const { changes } = await queries.run(sql.setAside, { position, problem: damage.message, now: now() })
      if (changes > 0) setAside.push(damaged)
    }
    return { ...rows, setAside }
  }

  function claimed<T>(
    claim: typeof sql.claimEvents,
    read: (rows: readonly unknown[]) => EventRows<T>
  ): (limit: number) => Promise<T[]> {
    const claimSome = (limit: number) =>
      database.atomically(async queries => {
        const at = now()
        const reservation = { wallet, now: at, until: at + RESERVED_MS, limit }
        return setAside(queries, read(await queries.all(claim, reservation)))
      })
    return limit => claimReadable(limit, claimSome, onDamage)
  }

  async function insert(queries: Queries, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return
    await queries.run(sql.insertEvents, {
      wallet,
      submissionIds: events.map(({ submissionId }) => submissionId),
      types: events.map(({ type }) => type),
      payloads: events.map(({ payload }) => payload),
      areWatched: events.map(({ isWatched }) => isWatched),
      now: now()
    })
  }

  return {
    async writeSettled(queries, submissionIds) {
      const rows = await queries.all(sql.settledRequests, { wallet, submissionIds })
      await insert(queries, toSettledEvents(rows, onDamage))
    },
    claim: claimed(sql.claimEvents, toOutboxEvents),
    async record(deliveries) {
      const parameters = {
        wallet,
        now: now(),
        submissionIds: deliveries.map(({ submissionId }) => submissionId),
        types: deliveries.map(({ type }) => type),
        attempts: deliveries.map(({ attempts }) => attempts),
        rounds: deliveries.map(({ redeliveries }) => redeliveries),
        outcomes: deliveries.map(({ outcome }) => outcome),
        delays: deliveries.map(delivery => (delivery.outcome === 'postponed' ? delivery.delayMs : 0)),
        problems: deliveries.map(delivery => (delivery.outcome === 'delivered' ? null : delivery.problem))
      }
      await database.atomically(queries => queries.run(sql.recordDeliveries, parameters))
    },
    claimTransfers: claimed(sql.claimTransfers, toWatchedTransfers),
    async postponeTransfers(submissionIds, delayMs) {
      const parameters = { wallet, submissionIds, until: now() + delayMs }
      await database.atomically(queries => queries.run(sql.postponeTransfers, parameters))
    },
    finish: finished =>
      database.atomically(async queries => {
        const submissionIds = finished.map(({ transfer }) => transfer.submissionId)
        const ended = new Set(
          (await queries.all(sql.endWatches, { wallet, submissionIds })).map(toSubmissionId)
        )
        const events = finished
          .filter(({ transfer }) => ended.has(transfer.submissionId))
          .map(({ transfer, record }) => transferFinished(transfer, record, now()))
        await insert(queries, events)
      }),
    correctTimes: longestMs =>
      database.atomically(async queries => {
        const parameters = { wallet, now: now(), latest: Math.ceil(now() + longestMs) }
        await queries.run(sql.makeEventsDue, parameters)
        await queries.run(sql.makeWatchesDue, parameters)
      }),
    backlog: async () => toBacklog(await database.get(sql.eventBacklog, { wallet }))
  }
}

const sql = statements({
  settledRequests: `SELECT ${SUBMISSION_COLUMNS}, ${REQUEST_COLUMNS} FROM submission
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[])
    ORDER BY array_position(:submissionIds::text[], submission_id)`,
  /** An event that exists stays as it is. */
  insertEvents: `INSERT INTO event
      (wallet_id, submission_id, type, payload, due_at, watch_due_at, created_at, updated_at)
    SELECT :wallet::integer, submission_id, type, payload, :now::bigint, CASE WHEN is_watched THEN :now::bigint END,
           :now::bigint, :now::bigint
    FROM unnest(:submissionIds::text[], :types::text[], :payloads::text[], :areWatched::boolean[])
      WITH ORDINALITY AS event (submission_id, type, payload, is_watched, number) ORDER BY number
    ON CONFLICT (wallet_id, submission_id, type) DO NOTHING`,
  /** Events that another replica claims at the same time are skipped. */
  claimEvents: `WITH due AS MATERIALIZED (
      SELECT position FROM event
      WHERE wallet_id = :wallet AND state = 'pending' AND due_at <= :now AND NOT EXISTS (
        SELECT FROM event AS earlier
        WHERE earlier.wallet_id = :wallet AND earlier.submission_id = event.submission_id
          AND earlier.position < event.position AND earlier.state = 'pending')
      ORDER BY due_at, created_at, position LIMIT :limit FOR UPDATE OF event SKIP LOCKED)
    UPDATE event SET attempts = least(attempts, ${MOST_ATTEMPTS}) + 1, due_at = :until FROM due WHERE event.position = due.position
    RETURNING ${EVENT_COLUMNS.replace('position', 'event.position')}`,
  recordDeliveries: `UPDATE event
    SET state = CASE outcome WHEN 'postponed' THEN 'pending' ELSE outcome END, due_at = :now::bigint + delay,
        problem = coalesce(delivery.problem, event.problem), updated_at = :now::bigint
    FROM unnest(:submissionIds::text[], :types::text[], :attempts::integer[], :rounds::integer[], :outcomes::text[],
        :delays::bigint[], :problems::text[])
      AS delivery (submission_id, type, attempts, round, outcome, delay, problem)
    WHERE event.wallet_id = :wallet AND event.submission_id = delivery.submission_id AND event.type = delivery.type
      AND redeliveries = round
      AND (outcome = 'delivered' OR state = 'pending' AND event.attempts = delivery.attempts)`,
  setAside: `UPDATE event SET state = 'given-up', problem = :problem, updated_at = :now
    WHERE position = :position AND (state <> 'given-up' OR problem IS DISTINCT FROM :problem)`,
  claimTransfers: `WITH due AS MATERIALIZED (
      SELECT position FROM event
      WHERE wallet_id = :wallet AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at <= :now
      ORDER BY watch_due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE event SET watch_due_at = :until FROM due WHERE event.position = due.position
    RETURNING ${WATCHED_COLUMNS.replace('position', 'event.position')}`,
  postponeTransfers: `UPDATE event SET watch_due_at = :until
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[]) AND watch_due_at IS NOT NULL`,
  endWatches: `UPDATE event SET watch_due_at = NULL
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[]) AND watch_due_at IS NOT NULL
    RETURNING submission_id`,
  makeEventsDue: `UPDATE event
    SET due_at = :now, watch_due_at = CASE WHEN watch_due_at > :now THEN :now ELSE watch_due_at END,
        created_at = least(created_at, :now)
    WHERE wallet_id = :wallet AND state = 'pending' AND due_at > :latest`,
  makeWatchesDue: `UPDATE event SET watch_due_at = :now, created_at = least(created_at, :now)
    WHERE wallet_id = :wallet AND watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at > :latest`,
  eventBacklog: `SELECT
      (SELECT count(*) FROM event WHERE wallet_id = :wallet AND state = 'pending') AS pending,
      (SELECT min(created_at) FROM event WHERE wallet_id = :wallet AND state = 'pending') AS oldest,
      (SELECT count(*) FROM event WHERE wallet_id = :wallet AND state <> 'pending' AND state = 'given-up') AS given_up,
      (SELECT count(*) FROM event
       WHERE wallet_id = :wallet AND watch_due_at IS NOT NULL AND state <> 'pending') AS watched`
})
