import type { Notification } from '../contract.ts'

/** @returns the placeholder of a new parameter */
type Bind = (value: unknown) => string

/** The differences between SQLite and PostgreSQL statements. */
export interface Dialect {
  /** @param number starts at 1 */
  parameter(number: number): string
  isAnyOf(values: readonly unknown[], bind: Bind): string
  /**
   * Returns a FROM item that reads a JSON array of objects as rows with a table's columns. BLOBs are strings such as
   * `\x00ff`.
   */
  rows(json: string, table: string, name: string): string
  jsonArray(column: string): string
  /** A clause that ends a query and locks the selected rows until the transaction ends. */
  forUpdate: string
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  forUpdateSkipLocked: string
}

export class Sql {
  readonly write: (dialect: Dialect, bind: Bind) => string

  constructor(write: Sql['write']) {
    this.write = write
  }
}

/** Builds a statement from a template: values become parameters, unless they are SQL themselves. */
export const sql = (texts: TemplateStringsArray, ...values: unknown[]): Sql =>
  new Sql((dialect, bind) => {
    const write = (value: unknown) => (value instanceof Sql ? value.write(dialect, bind) : bind(value))
    return texts.reduce((text, next, index) => text + write(values[index - 1]) + next)
  })

/** Combines one or more selections, each row once. */
export const union = (selections: readonly Sql[]): Sql =>
  selections.reduce((all, one) => sql`${all} UNION ${one}`)

/** Inserts text verbatim: use it only for text from this program. */
export const raw = (text: string): Sql => new Sql(() => text)

/** Returns the SQL of a condition: `column ${isAnyOf(values)}`. */
export const isAnyOf = (values: readonly unknown[]): Sql =>
  new Sql((dialect, bind) => dialect.isAnyOf(values, bind))

export const jsonArray = (column: string): Sql => new Sql(dialect => dialect.jsonArray(column))

export const forUpdate: Sql = new Sql(dialect => dialect.forUpdate)

export const forUpdateSkipLocked: Sql = new Sql(dialect => dialect.forUpdateSkipLocked)

/** The form of a column's value in JSON: objects and large integers are strings. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/**
 * `FROM ${rowsOf(table, 'name', wallet, rows)}`: presents values as a table with the columns of another table, so that
 * one statement handles all rows. Omitted fields are NULL. Fields without a column are ignored. Each row contains the
 * `wallet_id`: if it were a parameter, SQLite would scan all rows of the wallet instead of looking up each row.
 */
export function rowsOf(table: string, name: string, wallet: number, rows: readonly object[]): Sql {
  const json = rows.map(row =>
    Object.fromEntries(
      Object.entries({ ...row, walletId: wallet }).map(([field, value]) => [columnOf(field), plain(value)])
    )
  )
  return new Sql((dialect, bind) => dialect.rows(bind(JSON.stringify(json)), table, name))
}

/**
 * Inserts rows in order: both databases read a JSON array from the start.
 * @param rows all with the same fields, each of which is a column
 * @param rest `ORDER BY`, `ON CONFLICT`
 */
export function insertInto(table: string, wallet: number, rows: readonly object[], rest: Sql = sql``): Sql {
  const columns = raw(['wallet_id', ...Object.keys(rows[0] ?? {}).map(columnOf)].join(', '))
  return sql`INSERT INTO ${raw(table)} (${columns})
    SELECT ${columns} FROM ${rowsOf(table, 'inserted', wallet, rows)} WHERE true ${rest}`
}

/** Converts `typeUrl` to `type_url`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, '_$&').toLowerCase()

export function compile(statement: Sql, dialect: Dialect): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const text = statement.write(dialect, value => {
    if (value === undefined) throw new TypeError(`SQL parameter ${values.length + 1} is undefined`)
    return dialect.parameter(values.push(value))
  })
  return { text, values }
}

/** A row as the database returns it. The mappers in `rows.ts` validate it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a statement: `` run`UPDATE …` ``, or `run(statement)`. */
export interface Run<T> {
  (statement: Sql): Promise<T>
  (texts: TemplateStringsArray, ...values: unknown[]): Promise<T>
}

export const runnable =
  <T>(run: (statement: Sql) => Promise<T>): Run<T> =>
  (statement: Sql | TemplateStringsArray, ...values: unknown[]) =>
    run(statement instanceof Sql ? statement : sql(statement, ...values))

/** Statements that are started together are sent together, and run in the order of the calls. */
export interface Queries {
  all: Run<Row[]>
  get: Run<Row | undefined>
  /** Returns the number of changed rows. */
  run: Run<number>
}

export interface Transaction extends Queries {
  /** Notifies all replicas of the wallet once the transaction has been committed. */
  announce(notification: Notification, wallet: number): Promise<void>
}

/**
 * Every method throws StoreUnavailableError while the database is unavailable. `run` is a transaction of its own, and
 * throws like `transaction`.
 */
export interface Database extends Queries {
  /**
   * If `work` throws, nothing is changed. After a CollisionError, `work` can run again.
   * @throws StoreUncertainError if the commit fails
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Returns the row that `get` finds, as `read` maps it. */
export async function readOne<T>(
  found: Promise<Row | undefined>,
  read: (row: Row) => T
): Promise<T | undefined> {
  const row = await found
  return row && read(row)
}

/** A wallet in a database, with the clock that all its users share. */
export interface StoreContext {
  database: Database
  wallet: number
  /** In milliseconds since the epoch. */
  now: () => number
}

/** Waits for all statements. @throws the error of the first failed statement */
export async function allOf<T extends readonly unknown[]>(
  ...steps: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}
