import { Socket } from 'node:net'
import { Client, type ClientBase, type ClientConfig, types } from 'pg'
import { systemClock } from '../../../clock.ts'
import { asStoreError, BEHIND_POOLER, DatabaseUnusableError } from './errors.ts'

/** Contains the password: never log it. */
export type DatabaseAddress = Required<Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'ssl'>> &
  Pick<ClientConfig, 'password'>

const INT8 = 20

/** The timeouts of the server and the client, in milliseconds. The store's transactions take a few milliseconds. */
export const LIMITS = {
  connectionTimeoutMillis: 5000,
  // Limits how long a replica that stalls in the middle of a transaction blocks the others.
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 5000,
  statement_timeout: 7000,
  // Longer than the server's own limits, so that only a lost connection exceeds this timeout.
  query_timeout: 9000
} as const

/** No timeouts, for statements that can take long. */
export const PATIENT = { query_timeout: 0, statement_timeout: 0 } as const

/** @param ended ends the connections, even if the server does not respond */
export function connectionOptions(address: DatabaseAddress, ended?: AbortSignal): ClientConfig {
  return {
    ...address,
    ...LIMITS,
    application_name: 'transaction-back-end',
    // Statements that are sent together share a round trip.
    pipeline: true,
    stream: () => new Socket(ended && { signal: ended }),
    // The server drops connections from an unreachable machine within a minute. The isolation must not be another
    // default of the server, the database or the user.
    options:
      '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 ' +
      '-c default_transaction_isolation=read\\ committed',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? exactInteger : types.getTypeParser(oid, format))
    }
  }
}

/** Parses an integer. An unsafe integer stays a string, which the row's schema then rejects. */
function exactInteger(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

/** The oldest supported server version, in the format of `server_version_num`. */
const OLDEST_SERVER = 150_000

/** How often a session shows that its process is alive, in milliseconds. */
const CHECK_MS = 1500

/** The server ends the session and releases its locks after this many missed checks. */
const MISSED_CHECKS = 4

/** A session counts as lost after this many milliseconds without a response. */
const RESPONSE_MS = 4000

/** A connection whose locks and channels end with it. */
export type DedicatedConnection = Awaited<ReturnType<typeof openDedicated>>

/**
 * @param use a `session` stays open; a `task` is closed after its work, and its statements may take long
 * @param stopped see `connectionOptions`
 * @throws StoreUnavailableError, DatabaseUnusableError
 */
export async function openDedicated(
  address: DatabaseAddress,
  use: 'session' | 'task',
  stopped?: AbortSignal
) {
  const isSession = use === 'session'
  const limits = isSession ? { query_timeout: RESPONSE_MS } : PATIENT
  const client = new Client({ ...connectionOptions(address, stopped), ...limits })
  const ending = new AbortController()
  client.on('error', () => {})
  client.on('end', () => ending.abort())
  const check = isSession ? setInterval(() => client.query('SELECT').catch(close), CHECK_MS) : undefined
  check?.unref()
  ending.signal.addEventListener('abort', () => clearInterval(check))

  async function close(): Promise<void> {
    ending.abort()
    await client.end().catch(() => {})
  }

  try {
    await client.connect()
    const [server] = (await client.query<{ version: number; encoding: string; limit: number }>(SERVER)).rows
    if (server === undefined || server.version < OLDEST_SERVER || server.encoding !== 'UTF8')
      throw new DatabaseUnusableError(
        'cannot be used: expected PostgreSQL 15 or later with the encoding UTF8'
      )
    if (server.limit !== LIMITS.idle_in_transaction_session_timeout) {
      throw new DatabaseUnusableError(BEHIND_POOLER)
    }
    await client.query(`SET idle_session_timeout = ${isSession ? CHECK_MS * MISSED_CHECKS : 0}`)
    return { client, ended: ending.signal, close }
  } catch (error) {
    await close()
    throw asStoreError(error)
  }
}

const SERVER = `SELECT current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  (extract(epoch FROM current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::integer AS limit`

/**
 * Reads the database server's clock, which all replicas use instead of their own clocks.
 * @returns a function that returns the server's time in milliseconds since the epoch
 */
export async function serverTime(client: ClientBase): Promise<() => number> {
  const [row] = (await client.query<{ time: number }>(TIME)).rows
  if (row === undefined) throw new TypeError('the database server did not return its time')
  const start = row.time - systemClock.elapsed()
  return () => Math.round(start + systemClock.elapsed())
}

const TIME = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time'

/**
 * The service's advisory locks. The server releases them when the holder's connection ends. A lock is a pair of
 * numbers: one from LOCKS, and the wallet's number or 0.
 */
const FAMILY = 0x7375_6200

export const LOCKS = {
  /** Held by the leader of a wallet. */
  lead: FAMILY + 1,
  /** Held while the tables are created or upgraded. */
  create: FAMILY + 3,
  /** Shared by the servers of a wallet, exclusive for the operator tool while it changes the store. */
  serve: FAMILY + 4,
  /** Shared by all connections, exclusive while the tables are upgraded. */
  use: FAMILY + 5
} as const

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
