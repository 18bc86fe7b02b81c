import type { ClientBase } from 'pg'
import { systemClock } from '../../../clock.ts'

/**
 * The time of the database's server, which all replicas share, whatever the clocks of their machines say.
 * @returns a function for milliseconds since the epoch, which counts on from what the server says now
 */
export async function serverTime(client: ClientBase): Promise<() => number> {
  const [row] = (await client.query<{ time: number }>(TIME)).rows
  if (row === undefined) throw new TypeError('the server did not say the time')
  const start = row.time - systemClock.elapsed()
  return () => Math.round(start + systemClock.elapsed())
}

const TIME = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time'
