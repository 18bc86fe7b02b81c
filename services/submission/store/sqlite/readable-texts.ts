import type { Row } from '../sql.ts'
import type { Connection } from './database.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Makes a statement return its texts as bytes: libsql ends the process when it reads a text that is not UTF-8. One is left
 * as bytes, which no shape of a row allows.
 */
export function readingTexts(connection: Connection, sql: string) {
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
