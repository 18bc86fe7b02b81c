import { type Claimed, claimReadable } from '../claimed-events.ts'
import type { Outbox } from '../outbox.ts'
import { MOST_ATTEMPTS, RESERVED_MS } from '../outbox-times.ts'
import { transferFinished } from '../payload.ts'
import {
  EVENT_COLUMNS,
  type EventRows,
  REQUEST_COLUMNS,
  toBacklog,
  toOutboxEvents,
  toSettledEvents,
  toWatchedTransfers,
  WATCHED_COLUMNS
} from '../rows/event-rows.ts'
import { SUBMISSION_COLUMNS } from '../rows/index.ts'
import type { DamageObserver } from '../rows/read-each.ts'
import { atomically, type Connection } from './database.ts'
import { preparing } from './statements.ts'

/** The outbox of the embedded store, with the part of it that belongs to the leader's transactions. */
export interface SqliteOutbox extends Outbox {
  /** Writes the events of submissions that the transaction under way has settled. */
  writeSettled(submissionIds: readonly string[]): void
}

/** @param options.now as for the store */
export function createSqliteOutbox(options: {
  connection: Connection
  now: () => number
  onDamage?: DamageObserver
}): SqliteOutbox {
  const { connection, now, onDamage = () => {} } = options
  const sql = prepareOutboxStatements(connection)

  /** In the transaction of the claim, so that nothing damaged is claimed twice. */
  function setAside<T>(rows: EventRows<T>): Claimed<T> {
    const setAside = rows.damaged.filter(
      ({ position, damage }) =>
        sql.setAside.run({ position, problem: damage.message, now: now() }).changes > 0
    )
    return { ...rows, setAside }
  }

  function claimed<T>(
    claim: ReturnType<typeof prepareOutboxStatements>['claim'],
    read: (rows: readonly unknown[]) => EventRows<T>
  ): (limit: number) => Promise<T[]> {
    const claimSome = (limit: number) =>
      atomically(connection, () => {
        const at = now()
        return setAside(read(claim.all({ now: at, until: at + RESERVED_MS, limit })))
      })
    return limit => claimReadable(limit, claimSome, onDamage)
  }

  return {
    writeSettled(submissionIds) {
      const rows = sql.settled.all({ submissionIds: JSON.stringify(submissionIds) })
      sql.insert.run({ events: JSON.stringify(toSettledEvents(rows, onDamage)), now: now() })
    },
    claim: claimed(sql.claim, toOutboxEvents),
    record: deliveries =>
      atomically(
        connection,
        () => void sql.record.run({ deliveries: JSON.stringify(deliveries), now: now() })
      ),
    claimTransfers: claimed(sql.claimTransfers, toWatchedTransfers),
    postponeTransfers: (submissionIds, delayMs) =>
      atomically(connection, () => {
        const ids = JSON.stringify(submissionIds)
        sql.postponeTransfers.run({ submissionIds: ids, until: now() + delayMs })
      }),
    finish: finished =>
      atomically(connection, () => {
        const at = now()
        const ended = finished.filter(
          ({ transfer: { submissionId } }) => sql.endWatch.run({ submissionId }).changes > 0
        )
        const events = ended.map(({ transfer, record }) => transferFinished(transfer, record, at))
        sql.insert.run({ events: JSON.stringify(events), now: at })
      }),
    correctTimes: longestMs =>
      atomically(connection, () => {
        const at = now()
        sql.makeDue.run({ now: at, latest: at + longestMs })
        sql.makeWatchesDue.run({ now: at, latest: at + longestMs })
      }),
    backlog: async () => toBacklog(sql.backlog.get({}))
  }
}

function prepareOutboxStatements(connection: Connection) {
  const { command, query } = preparing(connection)
  return {
    settled: query(
      `SELECT ${SUBMISSION_COLUMNS}, ${REQUEST_COLUMNS}
       FROM json_each(:submissionIds) AS wanted CROSS JOIN submission ON submission_id = wanted.value ORDER BY wanted.id`
    ),
    /** An event that exists stays as it is. Without `WHERE true`, SQLite would read ON CONFLICT as a part of the join. */
    insert: command(
      `INSERT INTO event (submission_id, type, payload, due_at, watch_due_at, created_at, updated_at)
       SELECT value ->> 'submissionId', value ->> 'type', value ->> 'payload', :now,
              CASE WHEN value ->> 'isWatched' THEN :now END, :now, :now
       FROM json_each(:events) WHERE true
       ON CONFLICT (submission_id, type) DO NOTHING`
    ),
    claim: query(
      `UPDATE event SET attempts = min(attempts, ${MOST_ATTEMPTS}) + 1, due_at = :until
       WHERE position IN (
         SELECT position FROM event
         WHERE state = 'pending' AND due_at <= :now AND NOT EXISTS (
           SELECT 1 FROM event AS earlier
           WHERE earlier.submission_id = event.submission_id AND earlier.position < event.position
             AND earlier.state = 'pending')
         ORDER BY due_at, created_at, position LIMIT :limit)
       RETURNING ${EVENT_COLUMNS}`
    ),
    record: command(
      `UPDATE event
       SET state = CASE outcome WHEN 'postponed' THEN 'pending' ELSE outcome END,
           due_at = :now + coalesce(delay, 0), problem = coalesce(delivery.problem, event.problem), updated_at = :now
       FROM (SELECT value ->> 'submissionId' AS submission, value ->> 'type' AS kind, value ->> 'attempts' AS attempt,
                    value ->> 'redeliveries' AS round,
                    value ->> 'outcome' AS outcome, value ->> 'delayMs' AS delay, value ->> 'problem' AS problem
             FROM json_each(:deliveries)) AS delivery
       WHERE submission_id = submission AND type = kind AND redeliveries = round
         AND (outcome = 'delivered' OR state = 'pending' AND attempts = attempt)`
    ),
    setAside: command(
      `UPDATE event SET state = 'given-up', problem = :problem, updated_at = :now
       WHERE position = :position AND (state <> 'given-up' OR problem IS NOT :problem)`
    ),
    claimTransfers: query(
      `UPDATE event SET watch_due_at = :until
       WHERE position IN (
         SELECT position FROM event
         WHERE watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at <= :now
         ORDER BY watch_due_at LIMIT :limit)
       RETURNING ${WATCHED_COLUMNS}`
    ),
    postponeTransfers: command(
      `UPDATE event SET watch_due_at = :until
       WHERE submission_id IN (SELECT value FROM json_each(:submissionIds)) AND watch_due_at IS NOT NULL`
    ),
    endWatch: command(
      'UPDATE event SET watch_due_at = NULL WHERE submission_id = :submissionId AND watch_due_at IS NOT NULL'
    ),
    makeDue: command(
      `UPDATE event
       SET due_at = :now, watch_due_at = min(watch_due_at, :now), created_at = min(created_at, :now)
       WHERE state = 'pending' AND due_at > :latest`
    ),
    makeWatchesDue: command(
      `UPDATE event SET watch_due_at = :now, created_at = min(created_at, :now)
       WHERE watch_due_at IS NOT NULL AND state <> 'pending' AND watch_due_at > :latest`
    ),
    backlog: query(
      `SELECT (SELECT count(*) FROM event WHERE state = 'pending') AS pending,
              (SELECT min(created_at) FROM event WHERE state = 'pending') AS oldest,
              (SELECT count(*) FROM event WHERE state <> 'pending' AND state = 'given-up') AS given_up,
              (SELECT count(*) FROM event WHERE watch_due_at IS NOT NULL AND state <> 'pending') AS watched`
    )
  }
}
