import type { Static, TSchema } from '@sinclair/typebox'
import { parseJson } from '../../../json.ts'
import type { SchemaCheck } from '../../../schema-check.ts'
import { StoreCorruptError } from '../errors.ts'

/** Checks rows of one table. Every method throws StoreCorruptError for a damaged row. */
export interface TableReader {
  row<T extends TSchema>(shape: SchemaCheck<T>, row: unknown): Static<T>
  /** The value of a JSON column of `row`. */
  json<T extends TSchema>(shape: SchemaCheck<T>, text: string, row: unknown, column: string): Static<T>
  /** The value of a blob column of `row`, which libsql reads as a Buffer in a single row and as an ArrayBuffer in one of many. */
  bytes(value: unknown, row: unknown, column: string): Uint8Array
  /** The error of a `row` whose `column` is damaged. */
  corrupt(row: unknown, column: string): StoreCorruptError
}

/** @param key the column by which an error names the row */
export function createTableReader(table: string, key: string): TableReader {
  function corrupt(row: unknown, column: string): StoreCorruptError {
    const [, name] = Object.entries(row ?? {}).find(([column]) => column === key) ?? []
    const isName = typeof name === 'string' || typeof name === 'number'
    return new StoreCorruptError(table, isName ? String(name) : 'unknown', column)
  }

  return {
    row(shape, row) {
      if (shape.Check(row)) return row
      throw corrupt(row, shape.Errors(row).First()?.path.slice(1) ?? '')
    },
    json(shape, text, row, column) {
      const value = parseJson(text)
      if (shape.Check(value)) return value
      throw corrupt(row, column)
    },
    bytes(value, row, column) {
      if (value instanceof Uint8Array || value instanceof ArrayBuffer) return new Uint8Array(value)
      throw corrupt(row, column)
    },
    corrupt
  }
}
