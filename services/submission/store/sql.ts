import type { News } from './types.ts'

/** What SQLite and PostgreSQL do not share in statements. */
export interface Dialect {
  /** The parameter of that number, from 1. */
  parameter(number: number): string
  /** The value of a list, for `isAnyOf`. */
  list(values: readonly unknown[]): unknown
  /** The condition that a column is one of the values of a list. */
  isAnyOf(parameter: string): string
  /** A table of rows that are a JSON array of objects, where BLOBs are texts such as `\x00ff`. */
  rows(parameter: string, name: string, columns: readonly (readonly [name: string, type: string])[]): string
  /** All values of a column as the text of a JSON array. */
  jsonArray(column: string): string
  /** Ends a query whose rows nobody else may change until the end of the transaction. */
  forUpdate: string
  /** As `forUpdate`, without the rows that another transaction has locked. */
  forUpdateSkipLocked: string
}

/** The fields of a list of rows, with the types of their columns. */
export type Columns = Readonly<Record<string, 'TEXT' | 'BIGINT' | 'BLOB'>>

/** A part of a statement that is written in another way in each dialect. */
type Part = (dialect: Dialect, bind: (value: unknown) => string) => string

/** A statement or a part of one. What is put into the template is a parameter, unless it is SQL itself. */
export class Sql {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

export const sql = (texts: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(texts, values)

/** Text of this program as a part of a statement. */
export const raw = (text: string): Sql => new Sql([text], [])

const part = (write: Part): Sql => new Sql(['', ''], [write])

/** `column ${isAnyOf(values)}` */
export const isAnyOf = (values: readonly unknown[]): Sql =>
  part((dialect, bind) => dialect.isAnyOf(bind(dialect.list(values))))

/**
 * `FROM ${rowsOf('name', wallet, columns, rows)}`: values as a table, so that one statement does for all of them. What a row
 * leaves out is NULL; what is in no column is ignored. Each has its `wallet_id`: were that a parameter, SQLite would rather go through all rows of the wallet than
 * look up each of these.
 */
export const rowsOf = <C extends Columns>(
  name: string,
  wallet: number,
  columns: C,
  rows: readonly Readonly<Partial<Record<keyof C, unknown>>>[]
): Sql => {
  const fields: [field: string, type: Columns[string]][] = [
    ['walletId', 'BIGINT'],
    ...Object.entries(columns)
  ]
  const plain = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  const toJson = (row: Row) =>
    Object.fromEntries(fields.map(([field]) => [columnOf(field), plain(row[field])]))
  const json = JSON.stringify(rows.map(row => toJson({ ...row, walletId: wallet })))
  const types = fields.map(([field, type]) => [columnOf(field), type] as const)
  return part((dialect, bind) => dialect.rows(bind(json), name, types))
}

/** The column of a field: `type_url` of `typeUrl`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, '_$&').toLowerCase()

export const jsonArray = (column: string): Sql => part(dialect => dialect.jsonArray(column))

export const forUpdate: Sql = part(dialect => dialect.forUpdate)

export const forUpdateSkipLocked: Sql = part(dialect => dialect.forUpdateSkipLocked)

/** The text of a statement in a dialect, and its parameters. */
export function compile(statement: Sql, dialect: Dialect): { text: string; values: unknown[] } {
  const values: unknown[] = []

  function bind(value: unknown): string {
    if (value === undefined) throw new TypeError(`a parameter is missing: ${statement.texts.join('?')}`)
    return dialect.parameter(values.push(value))
  }

  function write(value: unknown): string {
    if (value instanceof Sql) return textOf(value)
    return isPart(value) ? value(dialect, bind) : bind(value)
  }

  function textOf({ texts, values }: Sql): string {
    return texts.reduce((text, next, index) => text + write(values[index - 1]) + next)
  }

  return { text: textOf(statement), values }
}

const isPart = (value: unknown): value is Part => typeof value === 'function'

/** Read by `rows`. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements. Those that are called together are sent together, and run in the order of the calls. */
export interface Queries {
  all(statement: Sql): Promise<Row[]>
  /** The first row. */
  get(statement: Sql): Promise<Row | undefined>
  /** @returns the number of rows that it changed */
  run(statement: Sql): Promise<number>
}

export interface Transaction extends Queries {
  /** Tells all replicas of the wallet, once the transaction is committed. */
  announce(news: News, wallet: number): Promise<void>
}

/** A database, with what a driver adds to its dialect. Every method throws StoreUnavailableError while it cannot be used. */
export interface Database extends Queries {
  /**
   * Runs `work` as one transaction: when it throws, nothing is changed.
   * @throws StoreUncertainError when the commit fails
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
}
