import type { paths } from './openapi.ts'
import type { Client } from './openapi-fetch.ts'
import type { Timing } from './timing.ts'

/** The settings and objects that all calls of a client share. */
export interface Context {
  /** The service's base URL without a trailing slash. */
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  api: Client<paths>
  timing: Timing
}
