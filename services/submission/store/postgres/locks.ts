import type { ClientBase } from 'pg'
import { DatabaseUnusableError } from './errors.ts'

/**
 * The advisory locks of the service, which the server releases when the connection of their holder ends. Each is a pair:
 * one of these numbers, and the wallet's or 0.
 */
const FAMILY = 0x7375_6200

export const LOCKS = {
  /** Held by the leader of a wallet. */
  lead: FAMILY + 1,
  /** Shared by all replicas that run, alone by one that changes the schema. */
  use: FAMILY + 2,
  /** Held while the schema is checked. */
  migrate: FAMILY + 3,
  /** Shared by the servers of a wallet, alone by the operator's tool while it changes the store. */
  serve: FAMILY + 4
} as const

/**
 * Claims a wallet for a server, for as long as the connection lasts.
 * @throws DatabaseUnusableError while the operator's tool changes the store
 */
export async function claimForServer(client: ClientBase, wallet: number): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(TRY_SHARED, [LOCKS.serve, wallet])
  if (!rows[0]?.locked) {
    throw new DatabaseUnusableError("is in use by the operator's tool: start the server when it has ended")
  }
}

/**
 * Claims a wallet for the operator's tool alone, for as long as the connection lasts.
 * @throws DatabaseUnusableError that says how many servers run
 */
export async function claimAlone(client: ClientBase, wallet: number): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(TRY_ALONE, [LOCKS.serve, wallet])
  if (rows[0]?.locked) return
  const [row] = (await client.query<{ servers: number }>(COUNT_SERVERS, [LOCKS.serve, wallet])).rows
  const servers = row?.servers ?? 0
  throw new DatabaseUnusableError(
    servers === 0
      ? 'is in use by another command of this tool'
      : `is in use by ${servers} server${servers === 1 ? '' : 's'}: stop ${servers === 1 ? 'it' : 'them'} first`
  )
}

const TRY_SHARED = 'SELECT pg_try_advisory_lock_shared($1, $2) AS locked'
const TRY_ALONE = 'SELECT pg_try_advisory_lock($1, $2) AS locked'
const COUNT_SERVERS = `SELECT count(*) AS servers FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND mode = 'ShareLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = $1 AND objid = $2`
