import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Statement } from 'libsql'
import type { Notification } from '../../contract.ts'
import { StoreUnavailableError, StoreUncertainError } from '../../errors.ts'
import { createStore, type Notifications } from '../index.ts'
import type { OpenForOperator } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import { compile, type Database, type Dialect, type Queries, type Row, runnable, type Sql } from '../sql.ts'
import {
  assertHasDatabase,
  type Connection,
  type Incomplete,
  type OpenDatabase,
  openBesideServer,
  openDatabase,
  openForReading,
  schemaVersion
} from './database.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads strings as bytes, because libsql crashes the process when it reads a string that is not UTF-8. Such a string is
 * kept as bytes, which the mappers reject.
 */
function prepareQuery(connection: Connection, sql: string): (values: unknown[]) => Row[] {
  const columns = connection.prepare(sql).columns()
  const texts = new Set(columns.flatMap(({ name, type }) => (type === 'BLOB' ? [] : name)))
  const list = columns.map(
    ({ name }) => `iif(typeof("${name}") = 'text', CAST("${name}" AS BLOB), "${name}") AS "${name}"`
  )
  const [change, returned] = sql.split('RETURNING')
  const prepared = connection.prepare(
    returned === undefined ? `SELECT ${list} FROM (${sql})` : `${change} RETURNING ${list}`
  )

  function decode(row: unknown): Row {
    const values: Record<string, unknown> = Object(row)
    for (const [name, value] of Object.entries(values)) {
      if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) continue
      values[name] = texts.has(name) ? decoded(value) : new Uint8Array(value)
    }
    return values
  }

  return values => prepared.all(values).map(decode)
}

function decoded(text: Uint8Array | ArrayBuffer): unknown {
  try {
    return utf8.decode(text)
  } catch {
    return text
  }
}

/** The only wallet in the embedded store. */
export const WALLET = 1

function dialectOf(connection: Connection): Dialect {
  const columns = new Map<string, string>()

  function columnsOf(table: string): string {
    const list = connection
      .prepare(`PRAGMA table_info(${table})`)
      .all([])
      .map(column => {
        const { name, type } = Object(column)
        const value = `value ->> '${name}'`
        return `${type === 'BLOB' ? `unhex(substr(${value}, 3))` : value} AS ${name}`
      })
    return list.join(', ')
  }

  return {
    parameter: () => '?',
    isAnyOf: (values, bind) => `IN (SELECT value FROM json_each(${bind(JSON.stringify(values))}))`,
    rows(json, table, name) {
      const list = columns.get(table) ?? columnsOf(table)
      columns.set(table, list)
      return `(SELECT ${list} FROM json_each(${json})) AS ${name}`
    },
    jsonArray: column => `json_group_array(${column})`,
    forUpdate: '',
    forUpdateSkipLocked: ''
  }
}

/**
 * How long calls wait while another program has locked the file. Once the lock has lasted this long, calls fail
 * immediately.
 */
const MAX_LOCKED_MS = 5000
const LOCK_CHECK_MS = 10

/** libsql accepts bytes only as a Buffer. */
const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : value)

/** Creates a database with only one connection, so calls wait until a running transaction ends. */
export function createSqliteDatabase(
  { connection, assertInPlace, close }: OpenDatabase,
  notifications?: Notifications
): Database {
  const dialect = dialectOf(connection)
  const commands = new Map<string, Statement>()
  const reads = new Map<string, ReturnType<typeof prepareQuery>>()
  let isUncertain = false
  let lockedAt: number | undefined
  let turn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  /** Repeats what a lock of another program prevents. SQLite's own wait would block this process. */
  async function unlocked<T>(step: () => T): Promise<T> {
    for (;;) {
      try {
        const result = step()
        lockedAt = undefined
        return result
      } catch (cause) {
        if (Object(cause).code !== 'SQLITE_BUSY') throw cause
        lockedAt ??= performance.now()
        if (performance.now() - lockedAt >= MAX_LOCKED_MS)
          throw new StoreUnavailableError('is locked by another program', { cause })
      }
      await delay(LOCK_CHECK_MS)
    }
  }

  function all(statement: Sql): Row[] {
    const { text, values } = compile(statement, dialect)
    const read = reads.get(text) ?? prepareQuery(connection, text)
    reads.set(text, read)
    return read(values.map(plain))
  }

  const get = (statement: Sql): Row | undefined => all(statement)[0]

  function run(statement: Sql): number {
    const { text, values } = compile(statement, dialect)
    const prepared = commands.get(text) ?? connection.prepare(text)
    commands.set(text, prepared)
    return prepared.run(values.map(plain)).changes
  }

  /** SQLite might have rolled back after an error, and later statements must not run outside a transaction. */
  const inTransaction = <T>(execute: (statement: Sql) => T) =>
    runnable(async statement => {
      if (!connection.inTransaction)
        throw new StoreUnavailableError('rolled back the transaction after an error')
      return execute(statement)
    })
  const queries: Queries = { all: inTransaction(all), get: inTransaction(get), run: inTransaction(run) }

  /**
   * Commits the transaction. If the flush fails, it stays in the file: this process no longer sees it, but the next
   * start might.
   */
  function commit(): void {
    try {
      connection.exec('COMMIT')
    } catch (cause) {
      isUncertain = true
      throw new StoreUncertainError('a commit failed and may or may not be on disk', { cause })
    }
  }

  /** Commits an empty change in place of the failed commit. If that succeeds, the next start reads what this process does. */
  function overwriteFailedCommit(): void {
    try {
      connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${schemaVersion(connection)}; COMMIT`)
    } catch (cause) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw new StoreUnavailableError('is not writable', { cause })
    }
    isUncertain = false
  }

  const transaction: Database['transaction'] = work =>
    inTurn(async () => {
      assertInPlace?.()
      if (isUncertain) overwriteFailedCommit()
      await unlocked(() => connection.exec('BEGIN IMMEDIATE'))
      const announced: Notification[] = []
      try {
        const result = await work({
          ...queries,
          announce: async notification => void announced.push(notification)
        })
        commit()
        for (const notification of announced) notifications?.emit('notification', notification)
        return result
      } catch (err) {
        // If the disk is full, SQLite has already rolled back. The driver's own transaction function would hide the
        // cause.
        if (connection.inTransaction) connection.exec('ROLLBACK')
        throw err
      }
    })

  return {
    close: () => inTurn(async () => close()),
    all: runnable(statement => inTurn(() => unlocked(() => all(statement)))),
    get: runnable(statement => inTurn(() => unlocked(() => get(statement)))),
    run: runnable(statement => transaction(({ run }) => run(statement))),
    transaction
  }
}

/**
 * Opens the embedded store: one SQLite file in `directory`. This process can always lead.
 * @throws DataDirectoryError
 */
export function createSqliteStore(
  directory: string,
  now: () => number = Date.now,
  webhooks?: Webhooks,
  onIncomplete?: Incomplete
) {
  const notifications: Notifications = new EventEmitter()
  const database = createSqliteDatabase(openDatabase(directory, onIncomplete), notifications)
  const lock = async () => ({ isAlone: true as const, release: async () => {} })
  return createStore({ database, wallet: WALLET, now, lock, notifications, close: database.close }, webhooks)
}

/** Creates the function that opens the store for the operator tool, which must not create a database. */
export const openSqliteForOperator =
  (directory: string, onIncomplete: Incomplete): OpenForOperator =>
  async use => {
    assertHasDatabase(directory)
    const own = () => openDatabase(directory, onIncomplete, 'operator')
    const opened = { read: openForReading, share: openBesideServer, own }[use](directory, onIncomplete)
    return { database: createSqliteDatabase(opened), wallet: WALLET, now: Date.now }
  }
