import type { paths } from './openapi.ts'
import type { Client } from './openapi-fetch.ts'
import type { Timing } from './timing.ts'

/** What the calls of one client share. */
export interface Context {
  /** Without a slash at its end. */
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  api: Client<paths>
  timing: Timing
}
