import { type Client, clientOf } from './client.ts'
import type { paths } from './openapi.ts'
import createApi from './openapi-fetch.ts'
import { systemTiming } from './timing.ts'

export { type Amount, wholeTokens } from './amounts.ts'
export { type Approval, bodyOf, type SubmitBody, type SwapBody, type TransferBody } from './body.ts'
export type { CallOptions, Client, States, Watch } from './client.ts'
export { ClientError, type ErrorCode, type Failure, type ServiceCode } from './errors.ts'
/** The named types of the OpenAPI document: `schemas.Chain`, `schemas.Token` and so on. */
export type * as schemas from './openapi.ts'
export type { paths } from './openapi.ts'
export type { Quote, QuoteRequest, QuoteSide } from './quote.ts'
export type { Submission, SwapRecord, TransferRecord } from './records.ts'
export type { SubmitOptions, SubmitState, Submitted } from './submit.ts'

export interface ClientOptions {
  /**
   * Where the service is, with the prefix that it may have: an http or https URL without credentials, query and hash. In a
   * page it may be relative to it.
   */
  baseUrl: string
  /** In place of the runtime's own, for instance to add headers or credentials. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * A client of the service, for browsers and for Node.
 * @throws TypeError for a base URL that requests cannot begin with
 */
export function createClient({
  baseUrl,
  fetch = request => globalThis.fetch(request)
}: ClientOptions): Client {
  const base = readBaseUrl(baseUrl)
  return clientOf({
    baseUrl: base,
    fetch,
    api: createApi<paths>({ baseUrl: base, fetch }),
    timing: systemTiming
  })
}

function readBaseUrl(baseUrl: string): string {
  const page: unknown = Reflect.get(globalThis, 'location')
  try {
    const { href, origin, pathname } = new URL(baseUrl, page === undefined ? page : String(page))
    if (/^https?:/.test(origin) && href === origin + pathname) return href.replace(/(?<!\/)\/+$/, '')
  } catch {}
  // Without the value, which may have a password.
  throw new TypeError(
    'baseUrl must be an http or https URL without user name, password, query and hash; it may be relative in a page only'
  )
}
