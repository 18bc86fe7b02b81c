import type { Outbox } from '../../../webhooks/outbox.ts'
import { transferFinished } from '../../../webhooks/payload.ts'
import { RESERVED_MS } from '../outbox-times.ts'
import {
  EVENT_COLUMNS,
  REQUEST_COLUMNS,
  toBacklog,
  toOutboxEvents,
  toSettledEvents,
  toWatchedTransfer,
  WATCHED_COLUMNS
} from '../rows/event-rows.ts'
import { SUBMISSION_COLUMNS } from '../rows/index.ts'
import { atomically, type Connection } from './database.ts'
import { preparing } from './statements.ts'

/** The outbox of the embedded store, with the part of it that belongs to the leader's transactions. */
export interface SqliteOutbox extends Outbox {
  /** Writes the events of submissions that the transaction under way has settled. */
  writeSettled(submissionIds: readonly string[]): void
}

/** @param now as for the store */
export function createSqliteOutbox(connection: Connection, now: () => number = Date.now): SqliteOutbox {
  const sql = prepareOutboxStatements(connection)

  return {
    writeSettled(submissionIds) {
      const rows = sql.settled.all({ submissionIds: JSON.stringify(submissionIds) })
      sql.insert.run({ events: JSON.stringify(toSettledEvents(rows)), now: now() })
    },
    claim: limit =>
      atomically(connection, () => {
        const at = now()
        return toOutboxEvents(sql.claim.all({ now: at, until: at + RESERVED_MS, limit }))
      }),
    record: deliveries =>
      atomically(
        connection,
        () => void sql.record.run({ deliveries: JSON.stringify(deliveries), now: now() })
      ),
    claimTransfers: limit =>
      atomically(connection, () => {
        const at = now()
        return sql.claimTransfers.all({ now: at, until: at + RESERVED_MS, limit }).map(toWatchedTransfer)
      }),
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
      `UPDATE event SET attempts = attempts + 1, due_at = :until
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
                    value ->> 'outcome' AS outcome, value ->> 'delayMs' AS delay, value ->> 'problem' AS problem
             FROM json_each(:deliveries)) AS delivery
       WHERE submission_id = submission AND type = kind
         AND (outcome = 'delivered' OR state = 'pending' AND attempts = attempt)`
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
    backlog: query(
      `SELECT (SELECT count(*) FROM event WHERE state = 'pending') AS pending,
              (SELECT min(created_at) FROM event WHERE state = 'pending') AS oldest,
              (SELECT count(*) FROM event WHERE state <> 'pending' AND state = 'given-up') AS given_up,
              (SELECT count(*) FROM event WHERE watch_due_at IS NOT NULL AND state <> 'pending') AS watched`
    )
  }
}
