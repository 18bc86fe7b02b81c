import type { OperatorEvents } from '../../operator-store.ts'
import { atomically, type Connection } from '../database.ts'
import { named, SELECTED_EVENTS } from './queries.ts'

export function createOperatorEvents(connection: Connection): OperatorEvents {
  const redeliver = connection.prepare(
    `UPDATE event SET state = 'pending', attempts = 0, redeliveries = redeliveries + 1, due_at = :now, updated_at = :now
     WHERE ${SELECTED_EVENTS}`
  )
  return {
    redeliver: selection =>
      atomically(connection, () => redeliver.run({ ...named(selection), now: Date.now() }).changes)
  }
}
