import type { Notification } from './types.ts'

/** Adds a parameter to a statement. @returns how the statement refers to it */
type Bind = (value: unknown) => string

/** The differences between SQLite and PostgreSQL in statements. */
export interface Dialect {
  /** The parameter with that number, from 1. */
  parameter(number: number): string
  /** The condition that a column is one of the values. */
  isAnyOf(values: readonly unknown[], bind: Bind): string
  /** A JSON array of objects as rows of a table, under another name. BLOBs are strings such as `\x00ff`. */
  rows(json: string, table: string, name: string): string
  /** All values of a column as a JSON array. */
  jsonArray(column: string): string
  /** Ends a query to lock its rows until the end of the transaction. */
  forUpdate: string
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  forUpdateSkipLocked: string
}

/** A statement or a part of one. */
export class Sql {
  readonly write: (dialect: Dialect, bind: Bind) => string

  constructor(write: Sql['write']) {
    this.write = write
  }
}

/** A statement template: each value is a parameter, unless it is SQL itself. */
export const sql = (texts: TemplateStringsArray, ...values: unknown[]): Sql =>
  new Sql((dialect, bind) => {
    const write = (value: unknown) => (value instanceof Sql ? value.write(dialect, bind) : bind(value))
    return texts.reduce((text, next, index) => text + write(values[index - 1]) + next)
  })

/** SQL text from this program as part of a statement. */
export const raw = (text: string): Sql => new Sql(() => text)

/** `column ${isAnyOf(values)}` */
export const isAnyOf = (values: readonly unknown[]): Sql =>
  new Sql((dialect, bind) => dialect.isAnyOf(values, bind))

export const jsonArray = (column: string): Sql => new Sql(dialect => dialect.jsonArray(column))

export const forUpdate: Sql = new Sql(dialect => dialect.forUpdate)

export const forUpdateSkipLocked: Sql = new Sql(dialect => dialect.forUpdateSkipLocked)

/**
 * `FROM ${rowsOf(table, 'name', wallet, rows)}`: values as a table with the columns of another table, so that one
 * statement handles all of them. A field that a row omits is NULL. A field without a column is ignored. Each row has
 * its `wallet_id`: if that were a parameter, SQLite would scan all rows of the wallet rather than look up each of
 * these.
 */
export function rowsOf(table: string, name: string, wallet: number, rows: readonly object[]): Sql {
  const plain = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  const json = rows.map(row =>
    Object.fromEntries(
      Object.entries({ ...row, walletId: wallet }).map(([field, value]) => [columnOf(field), plain(value)])
    )
  )
  return new Sql((dialect, bind) => dialect.rows(bind(JSON.stringify(json)), table, name))
}

/**
 * Inserts rows in their order: both databases read a JSON array from its start.
 * @param rows each has the same fields, all of which are columns
 * @param rest `ORDER BY`, `ON CONFLICT`
 */
export function insertInto(table: string, wallet: number, rows: readonly object[], rest: Sql = sql``): Sql {
  const columns = raw(['wallet_id', ...Object.keys(rows[0] ?? {}).map(columnOf)].join(', '))
  return sql`INSERT INTO ${raw(table)} (${columns})
    SELECT ${columns} FROM ${rowsOf(table, 'inserted', wallet, rows)} WHERE true ${rest}`
}

/** The column of a field: `type_url` of `typeUrl`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, '_$&').toLowerCase()

/** The text of a statement in a dialect, and its parameters. */
export function compile(statement: Sql, dialect: Dialect): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const text = statement.write(dialect, value => {
    if (value === undefined) throw new TypeError('a parameter of a statement is undefined')
    return dialect.parameter(values.push(value))
  })
  return { text, values }
}

/** Read by `rows`. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements. Statements called together are sent together, and run in the order of the calls. */
export interface Queries {
  all(statement: Sql): Promise<Row[]>
  /** The first row. */
  get(statement: Sql): Promise<Row | undefined>
  /** @returns the number of changed rows */
  run(statement: Sql): Promise<number>
}

export interface Transaction extends Queries {
  /** Notifies all replicas of the wallet, once the transaction is committed. */
  announce(notification: Notification, wallet: number): Promise<void>
}

/** A database behind a driver. Every method throws StoreUnavailableError while the database cannot be used. */
export interface Database extends Queries {
  /**
   * Runs `work` as one transaction: if it throws, nothing is changed. May run it again after a CollisionError.
   * @throws StoreUncertainError if the commit fails
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A wallet in a database, with the clock by which all its users write. */
export interface StoreContext {
  database: Database
  /** The wallet's number in the database. */
  wallet: number
  /** In milliseconds since the epoch. */
  now: () => number
}

/** Waits for statements that are sent together. @throws the error of the first that failed */
export async function allOf<T extends readonly unknown[]>(
  ...steps: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}
