import type { ClientBase } from 'pg'

/**
 * The service's advisory locks. The server releases them when the holder's connection ends. A lock is a pair of
 * numbers: one from LOCKS, and the wallet's number or 0.
 */
const FAMILY = 0x7375_6200

export const LOCKS = {
  /** Held by the leader of a wallet. */
  lead: FAMILY + 1,
  /** Shared by all running replicas, exclusive for a replica that changes the schema. */
  use: FAMILY + 2,
  /** Held while the schema is checked. */
  migrate: FAMILY + 3,
  /** Shared by the servers of a wallet, exclusive for the operator tool while it changes the store. */
  serve: FAMILY + 4
} as const

/** Tries to take a lock without waiting. @returns whether the connection now has the lock */
export async function tryLock(
  client: ClientBase,
  lock: keyof typeof LOCKS,
  wallet: number,
  how: 'shared' | 'alone'
): Promise<boolean> {
  const suffix = how === 'shared' ? '_shared' : ''
  const statement = `SELECT pg_try_advisory_lock${suffix}($1, $2) AS locked`
  const { rows } = await client.query<{ locked: boolean }>(statement, [LOCKS[lock], wallet])
  return rows[0]?.locked === true
}
