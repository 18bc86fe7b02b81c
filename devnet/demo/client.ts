import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DemoError } from './demo-error.ts'

/** A client of the server, as a widget would have one. Each call throws DemoError for any answer but the expected. */
export interface DemoClient {
  get<T extends TSchema>(path: string, schema: T): Promise<Static<T>>
  post<T extends TSchema>(path: string, body: unknown, schema: T): Promise<Static<T>>
}

export function createClient(baseUrl: string, signal: AbortSignal): DemoClient {
  async function call<T extends TSchema>(path: string, init: RequestInit, schema: T): Promise<Static<T>> {
    const response = await fetch(baseUrl + path, { ...init, signal })
    const text = await response.text()
    const answer = `${init.method} ${path.split('?', 1)} answered ${response.status}: ${text}`
    if (response.status !== 200) throw new DemoError(answer)
    const body: unknown = parse(text)
    if (!Value.Check(schema, body)) throw new DemoError(`${answer}\nwhich lacks what the client needs`)
    return body
  }

  return {
    get: (path, schema) => call(path, { method: 'GET' }, schema),
    post: (path, body, schema) =>
      call(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body)
        },
        schema
      )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
