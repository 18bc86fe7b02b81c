import { type Client, clientOf } from './client.ts'
import type { paths } from './openapi.ts'
import createApi from './openapi-fetch.ts'
import { systemTiming } from './timing.ts'

export { type Amount, wholeTokens } from './amounts.ts'
export { ApprovalError } from './approval/bytes.ts'
export type { EvmApproval, TronApproval, TronCall } from './approval/contracts.ts'
export { approvalOf, type TokenApproval } from './approval/index.ts'
export type { Permit2, Permit2Option } from './approval/permit2.ts'
export type { SolanaApproval, SolanaInstruction } from './approval/solana.ts'
export type { EvmCall } from './approval/types.ts'
export { type Approval, bodyOf, type SubmitBody, type SwapBody, type TransferBody } from './body.ts'
export type { CallOptions, Client, States, Watch } from './client.ts'
export { ClientError, type ErrorCode, type Failure, type ServiceCode } from './errors.ts'
/** The named types of the OpenAPI document, such as `schemas.Chain` and `schemas.Token`. */
export type * as schemas from './openapi.ts'
export type { paths } from './openapi.ts'
export type { Quote, QuoteRequest, QuoteSide } from './quote.ts'
export type { Submission, SwapRecord, TransactionRecord } from './records.ts'
export type { SubmitOptions, SubmitState, Submitted } from './submit.ts'

export interface ClientOptions {
  /**
   * The http or https URL of the service, including any path prefix, without credentials, query or hash. In a browser,
   * the URL may be relative.
   */
  baseUrl: string
  /** Replaces the runtime's fetch, for instance to add headers or credentials. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Creates a client for the service. Runs in browsers and Node.
 * @throws TypeError for an invalid base URL
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
  // The message omits the URL, because the URL might contain a password.
  throw new TypeError(
    'baseUrl must be an http or https URL without user name, password, query or hash (relative URLs work only in browsers)'
  )
}
