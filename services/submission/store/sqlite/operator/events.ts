import type { OperatorEvents } from '../../operator-store.ts'
import { atomically, type Connection } from '../database.ts'
import { preparing } from '../statements.ts'
import { named, SELECTED_EVENTS } from './queries.ts'

export function createOperatorEvents(connection: Connection): OperatorEvents {
  const { command } = preparing(connection)
  const redeliver = command(
    `UPDATE event SET state = 'pending', attempts = 0, redeliveries = redeliveries + 1, due_at = :now, updated_at = :now
     WHERE ${SELECTED_EVENTS}`
  )
  return {
    redeliver: selection =>
      atomically(connection, () => redeliver.run({ ...named(selection), now: Date.now() }).changes)
  }
}
