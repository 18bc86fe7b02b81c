import type { QueryConfig, QueryResult } from 'pg'
import { compile, type Dialect, type Queries, type Sql } from '../sql.ts'

export const dialect: Dialect = {
  parameter: number => `$${number}`,
  list: values => values,
  isAnyOf: parameter => `= ANY (${parameter})`,
  rows(parameter, name, columns) {
    const list = columns.map(([column, type]) => `${column} ${type === 'BLOB' ? 'bytea' : type}`)
    return `json_to_recordset(${parameter}) AS ${name} (${list.join(', ')})`
  },
  jsonArray: column => `coalesce(json_agg(${column} ORDER BY ${column}), '[]')::text`,
  forUpdate: 'FOR UPDATE',
  forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED'
}

/** The names under which connections prepare statements, by their texts. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement_${names.size}`
  names.set(text, name)
  return name
}

export function createQueries(query: (config: QueryConfig) => Promise<QueryResult>): Queries {
  function send(statement: Sql): Promise<QueryResult> {
    const { text, values } = compile(statement, dialect)
    return query({ name: nameOf(text), text, values })
  }

  return {
    all: async statement => (await send(statement)).rows,
    get: async statement => (await send(statement)).rows[0],
    run: async statement => (await send(statement)).rowCount ?? 0
  }
}
