import { Client } from 'pg'
import { connectionOptions, LIMITS } from './connection-options.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, BEHIND_POOLER, DatabaseUnusableError } from './errors.ts'

/** The oldest server that is supported, as `server_version_num`. */
const OLDEST_SERVER = 150_000

/** How long the server may need for an answer before the connection counts as lost, in milliseconds. */
const ANSWER_MS = 4000

/** After how many missed checks the server ends the session of a replica, with its locks. */
const MISSED_CHECKS = 4

/** A connection for one purpose, with what belongs to its session: locks and channels. It ends when these are lost. */
export interface Dedicated {
  readonly client: Client
  readonly ended: AbortSignal
  close(): Promise<void>
}

/**
 * @param options.checkMs how often to ask whether the server is still there; 0 for a connection that is soon closed, whose
 *   statements may take long
 * @throws StoreUnavailableError, DatabaseUnusableError
 */
export async function openDedicated(
  address: DatabaseAddress,
  { checkMs }: { checkMs: number }
): Promise<Dedicated> {
  const client = new Client({
    ...connectionOptions(address),
    ...(checkMs > 0 ? { query_timeout: ANSWER_MS } : { query_timeout: 0, statement_timeout: 0 })
  })
  const ending = new AbortController()
  client.on('error', () => {})
  client.on('end', () => ending.abort())
  const check = checkMs > 0 ? setInterval(() => client.query('SELECT').catch(close), checkMs) : undefined
  check?.unref()
  ending.signal.addEventListener('abort', () => clearInterval(check))

  async function close(): Promise<void> {
    ending.abort()
    await client.end().catch(() => {})
  }

  try {
    await client.connect()
    const [server] = (await client.query<{ version: number; encoding: string; limit: number }>(SERVER)).rows
    if (server === undefined || server.version < OLDEST_SERVER) {
      throw new DatabaseUnusableError('is on a server that is too old: expected PostgreSQL 15 or later')
    }
    if (server.encoding !== 'UTF8') {
      throw new DatabaseUnusableError(`has the encoding ${server.encoding}: expected UTF8`)
    }
    if (server.limit !== LIMITS.idle_in_transaction_session_timeout) {
      throw new DatabaseUnusableError(BEHIND_POOLER)
    }
    await client.query(`SET idle_session_timeout = ${checkMs * MISSED_CHECKS}`)
    return { client, ended: ending.signal, close }
  } catch (error) {
    await close()
    throw asStoreError(error)
  }
}

const SERVER = `SELECT current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  (extract(epoch FROM current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::integer AS limit`
