import { type Client, clientOf } from './client.ts'
import type { paths } from './openapi.ts'
import createApi from './openapi-fetch.ts'
import { systemTiming } from './timing.ts'

export { type Amount, wholeTokens } from './amounts.ts'
export { type Approval, bodyOf, type SubmitBody, type SwapBody, type TransferBody } from './body.ts'
export type { CallOptions, Client, States, Watch } from './client.ts'
export { ClientError, type ErrorCode, type Failure, type ServiceCode } from './errors.ts'
export type { paths } from './openapi.ts'
export type { Quote, QuoteRequest, QuoteSide } from './quote.ts'
export type { Submission, SwapRecord, TransferRecord } from './records.ts'
export type { SubmitOptions, SubmitState, Submitted } from './submit.ts'

export interface ClientOptions {
  /** Where the service is, with the prefix that it may have. In a browser it may be relative to the page. */
  baseUrl: string
  /** In place of the runtime's own, for instance to add headers or credentials. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * A client of the service, for browsers and for Node.
 * @throws TypeError for a base URL that is none
 */
export function createClient({
  baseUrl,
  fetch = request => globalThis.fetch(request)
}: ClientOptions): Client {
  const page: unknown = Reflect.get(globalThis, 'location')
  const base = new URL(baseUrl, page === undefined ? page : String(page)).href.replace(/\/+$/, '')
  return clientOf({
    baseUrl: base,
    fetch,
    api: createApi<paths>({ baseUrl: base, fetch }),
    timing: systemTiming
  })
}
