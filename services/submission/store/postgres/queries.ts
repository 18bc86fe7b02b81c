import type { QueryConfig, QueryResult } from 'pg'

/** An SQL statement with named parameters, which a connection prepares when it first runs it. */
export interface Statement {
  name: string
  text: string
  parameters: readonly string[]
}

type Parameters = Readonly<Record<string, unknown>>

/** Runs statements. Those that are called together are sent together, and run in the order of the calls. */
export interface Queries {
  all(statement: Statement, parameters: Parameters): Promise<unknown[]>
  /** The first row. */
  get(statement: Statement, parameters: Parameters): Promise<unknown>
  run(statement: Statement, parameters: Parameters): Promise<{ changes: number }>
}

/** Prepares statements whose parameters are written `:name`, each under the name of its property. */
export function statements<Name extends string>(texts: Record<Name, string>): Record<Name, Statement> {
  const prepared = Object.entries<string>(texts).map(([name, sql]) => [name, prepare(name, sql)])
  return Object.fromEntries(prepared)
}

function prepare(name: string, sql: string): Statement {
  const parameters: string[] = []
  const text = sql.replace(/(?<!:):([a-zA-Z]+)/g, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter)
    return `$${parameters.indexOf(parameter) + 1}`
  })
  return { name, text, parameters }
}

export function createQueries(query: (config: QueryConfig) => Promise<QueryResult>): Queries {
  function send({ name, text, parameters }: Statement, values: Parameters): Promise<QueryResult> {
    const missing = parameters.find(parameter => values[parameter] === undefined)
    if (missing !== undefined) throw new TypeError(`${name} needs the parameter ${missing}`)
    return query({ name, text, values: parameters.map(parameter => values[parameter]) })
  }

  return {
    async all(statement, parameters) {
      return (await send(statement, parameters)).rows
    },
    async get(statement, parameters) {
      const [row]: unknown[] = (await send(statement, parameters)).rows
      return row
    },
    async run(statement, parameters) {
      return { changes: (await send(statement, parameters)).rowCount ?? 0 }
    }
  }
}
