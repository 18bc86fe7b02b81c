import type { Statement } from 'libsql'
import { StoreUnavailableError, StoreUncertainError } from '../errors.ts'
import { compile, type Database, type Dialect, type Queries, type Row, type Sql } from '../sql.ts'
import type { News } from '../types.ts'
import { assertInPlace, type Connection, type OpenDatabase, schemaVersion } from './database.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Makes a statement return its texts as bytes: libsql ends the process when it reads a text that is not UTF-8. One is left
 * as bytes, which no shape of a row allows.
 */
function readingTexts(connection: Connection, sql: string) {
  const columns = connection.prepare(sql).columns()
  const texts = columns.flatMap(({ name, type }) => (type === 'BLOB' ? [] : name))
  const list = columns.map(
    ({ name }) => `iif(typeof("${name}") = 'text', CAST("${name}" AS BLOB), "${name}") AS "${name}"`
  )
  const [change, returned] = sql.split('RETURNING')

  return {
    sql: returned === undefined ? `SELECT ${list} FROM (${sql})` : `${change} RETURNING ${list}`,
    decode(row: unknown): Row {
      const values: Record<string, unknown> = Object(row)
      for (const name of texts) {
        const value = values[name]
        if (value instanceof Uint8Array || value instanceof ArrayBuffer) values[name] = decoded(value)
      }
      return values
    }
  }
}

function decoded(text: Uint8Array | ArrayBuffer): unknown {
  try {
    return utf8.decode(text)
  } catch {
    return text
  }
}

/** The embedded store has one wallet. */
export const WALLET = 1

const dialect: Dialect = {
  parameter: () => '?',
  list: values => JSON.stringify(values),
  isAnyOf: parameter => `IN (SELECT value FROM json_each(${parameter}))`,
  rows(parameter, name, columns) {
    const list = columns.map(([column, type]) => {
      const value = `value ->> '${column}'`
      return `${type === 'BLOB' ? `unhex(substr(${value}, 3))` : value} AS ${column}`
    })
    return `(SELECT ${list.join(', ')} FROM json_each(${parameter})) AS ${name}`
  },
  jsonArray: column => `json_group_array(${column})`,
  forUpdate: '',
  forUpdateSkipLocked: ''
}

/** Bytes as the driver takes them. */
const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : value)

/**
 * The port to an open database. It has one connection, so what is called while a transaction is under way waits for its end.
 * @param announce is told what a transaction announces, after its commit
 */
export function createSqliteDatabase(
  { connection, close }: OpenDatabase,
  announce: (news: News) => void = () => {}
): Database & { close(): Promise<void> } {
  const commands = new Map<string, Statement>()
  const reads = new Map<string, { prepared: Statement; decode(row: unknown): Row }>()
  /** Whether the last commit failed. */
  let isUncertain = false
  let turn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  function all(statement: Sql): Row[] {
    const { text, values } = compile(statement, dialect)
    let known = reads.get(text)
    if (known === undefined) {
      const { sql, decode } = readingTexts(connection, text)
      known = { prepared: connection.prepare(sql), decode }
      reads.set(text, known)
    }
    return known.prepared.all(values.map(plain)).map(known.decode)
  }

  const get = (statement: Sql): Row | undefined => all(statement)[0]

  function run(statement: Sql): number {
    const { text, values } = compile(statement, dialect)
    const prepared = commands.get(text) ?? connection.prepare(text)
    commands.set(text, prepared)
    return prepared.run(values.map(plain)).changes
  }

  /** After an error, SQLite may have rolled back: what follows must not be written on its own. */
  function untilError(): Queries {
    let failure: { error: unknown } | undefined
    const guarded =
      <T>(execute: (statement: Sql) => T) =>
      async (statement: Sql): Promise<T> => {
        if (failure) throw failure.error
        try {
          return execute(statement)
        } catch (error) {
          failure = { error }
          throw error
        }
      }
    return { all: guarded(all), get: guarded(get), run: guarded(run) }
  }

  /** A failed flush leaves the transaction in the file, where this process no longer sees it but the next start may. */
  function commit(): void {
    try {
      connection.exec('COMMIT')
    } catch (cause) {
      isUncertain = true
      throw new StoreUncertainError('a commit could not be written completely', { cause })
    }
  }

  /** Commits a change of nothing in the place of the failed one. Once that succeeds, the next start sees what this process sees. */
  function overwriteFailedCommit(): void {
    try {
      connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${schemaVersion(connection)}; COMMIT`)
    } catch (cause) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw new StoreUnavailableError('cannot be written', { cause })
    }
    isUncertain = false
  }

  return {
    close: () => inTurn(async () => close()),
    all: statement => inTurn(async () => all(statement)),
    get: statement => inTurn(async () => get(statement)),
    run: statement => inTurn(async () => run(statement)),
    transaction: work =>
      inTurn(async () => {
        assertInPlace(connection)
        if (isUncertain) overwriteFailedCommit()
        connection.exec('BEGIN IMMEDIATE')
        const announced: News[] = []
        try {
          const result = await work({ ...untilError(), announce: async news => void announced.push(news) })
          commit()
          announced.forEach(announce)
          return result
        } catch (err) {
          // After a full disk, SQLite has rolled back already. The driver's own function would then hide the reason.
          if (connection.inTransaction) connection.exec('ROLLBACK')
          throw err
        }
      })
  }
}
