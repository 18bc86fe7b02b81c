import { Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import type { Notification } from '../../contract.ts'
import { StoreUnavailableError, StoreUncertainError } from '../../errors.ts'
import {
  compile,
  type Database,
  type Dialect,
  type Queries,
  runnable,
  type Sql,
  type Transaction
} from '../sql.ts'
import { connectionOptions, type DatabaseAddress, PATIENT } from './connection.ts'
import { asStoreError, isCollision, isConnectionLost } from './errors.ts'
import { assertSchema } from './schema.ts'

const dialect: Dialect = {
  parameter: number => `$${number}`,
  isAnyOf: (values, bind) => `= ANY (${bind(values)})`,
  rows: (json, table, name) => `json_populate_recordset(NULL::${table}, ${json}) AS ${name}`,
  jsonArray: column => `coalesce(json_agg(${column} ORDER BY ${column}), '[]')::text`,
  forUpdate: 'FOR UPDATE',
  forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED'
}

/** Names of prepared statements, by their text. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement_${names.size}`
  names.set(text, name)
  return name
}

function createQueries(query: (config: QueryConfig) => Promise<QueryResult>): Queries {
  function send(statement: Sql): Promise<QueryResult> {
    const { text, values } = compile(statement, dialect)
    return query({ name: nameOf(text), text, values })
  }

  return {
    all: runnable(async statement => (await send(statement)).rows),
    get: runnable(async statement => (await send(statement)).rows[0]),
    run: runnable(async statement => (await send(statement)).rowCount ?? 0)
  }
}

/** The maximum number of connections per replica, in addition to the connection of its session. */
const MAX_CONNECTIONS = 8

/** How often a transaction runs if it collides with others. */
const MAX_RUNS = 5

export interface PostgresDatabase extends Database {
  /** Makes every later call throw this error; undefined allows calls again. */
  refuse(reason: Error | undefined): void
}

/**
 * @param user `operator` allows long statements and reads from a standby
 * @param ended ends all calls and connections
 */
export function createDatabase(
  address: DatabaseAddress,
  user: 'server' | 'operator' = 'server',
  ended?: AbortSignal
): PostgresDatabase {
  const pool = new Pool({
    ...connectionOptions(address, ended),
    ...(user === 'operator' && PATIENT),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: 60_000,
    async onConnect(client) {
      client.on('error', () => {})
      const set = client.query<{ standby: boolean }>(SETTINGS)
      const [{ rows }] = await Promise.all([set, assertSchema(client)])
      // A standby might lack a submission that was just accepted, and clients would get a 404.
      if (user === 'server' && rows[0]?.standby !== false)
        throw new StoreUnavailableError('is read-only: this server is a standby')
    }
  })
  // The statements of a lost connection fail, and the pool replaces idle connections. Without a listener, Node would
  // exit.
  pool.on('error', () => {})

  let refusal: Error | undefined
  ended?.addEventListener('abort', () => {
    refusal = new StoreUnavailableError('is no longer used')
  })

  async function runOnce<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (refusal) throw refusal
    const client = await pool.connect().catch(error => {
      throw asStoreError(error)
    })
    let isLost = false

    const queries = createQueries(async config => {
      try {
        return await client.query(config)
      } catch (error) {
        isLost ||= isConnectionLost(error)
        throw asStoreError(error)
      }
    })

    try {
      const announce: Transaction['announce'] = async (notification, wallet) =>
        void (await queries.get`SELECT pg_notify(${channelOf(wallet)}, ${writeNotification(notification)})`)
      const [, result] = await Promise.all([queries.run`BEGIN`, work({ ...queries, announce })])
      await commit(client)
      return result
    } catch (error) {
      isLost ||= error instanceof StoreUncertainError
      if (!isLost) await client.query('ROLLBACK').catch(() => (isLost = true))
      throw error
    } finally {
      client.release(isLost)
    }
  }

  async function transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let runs = 1; ; runs++) {
      try {
        return await runOnce(work)
      } catch (error) {
        if (!isCollision(error) || runs === MAX_RUNS) throw error
      }
    }
  }

  const single = createQueries(async config => {
    if (refusal) throw refusal
    try {
      return await pool.query(config)
    } catch (error) {
      throw asStoreError(error)
    }
  })

  return {
    ...single,
    run: runnable(statement => transaction(({ run }) => run(statement))),
    transaction,
    refuse(reason) {
      refusal = reason
    },
    close: () => pool.end()
  }
}

/**
 * Ensures that a commit returns only once it is on the server's disk, regardless of the settings of the server, the
 * database or the user. Also makes the server plan each statement for its own parameters: an array of thousands needs a
 * different plan than an array of ten, and tables grow.
 */
const SETTINGS = `SELECT pg_is_in_recovery() AS standby,
  set_config('plan_cache_mode', 'force_custom_plan', false),
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
    THEN set_config('synchronous_commit', 'on', false) END`

async function commit(client: PoolClient): Promise<void> {
  let isWarned = false
  const warn = () => {
    isWarned = true
  }
  client.on('notice', warn)
  const { command } = await client
    .query('COMMIT')
    .catch(error => {
      // The server has rolled back. The transaction runs again.
      if (isCollision(error)) throw error
      throw new StoreUncertainError('a commit failed and may or may not have taken effect', {
        cause: asStoreError(error)
      })
    })
    .finally(() => client.off('notice', warn))
  // The wait for the standby was cancelled, so the commit might exist only on this server.
  if (isWarned) throw new StoreUncertainError('a commit might not have reached the standby')
  if (command !== 'COMMIT') {
    throw new TypeError(
      'COMMIT was sent although a statement had failed: the server rolled the transaction back'
    )
  }
}

/** The maximum size of a notification, in bytes. The server accepts fewer than 8000. */
const MAX_PAYLOAD = 7900

/** The channel for notifications between replicas. The server sends them when their transaction commits. */
export const channelOf = (wallet: number) => `submissions_${wallet}`

function writeNotification(notification: Notification): string {
  const text = JSON.stringify(notification)
  return Buffer.byteLength(text) <= MAX_PAYLOAD ? text : JSON.stringify({ kind: notification.kind })
}
