import { ClientError, type ServiceFailure } from './errors.ts'
import type { paths } from './openapi.ts'
import type { Client } from './openapi-fetch.ts'
import { aborted, startDeadline, type Timing } from './timing.ts'
import { isServiceCode } from './verdicts.ts'

/** The values that all calls of a client share. */
export interface Context {
  /** The service's base URL without a trailing slash. */
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  api: Client<paths>
  timing: Timing
}

/** The result of an openapi-fetch call. */
interface Outcome<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * Sends one request and reads the whole response.
 * @throws ClientError for an error response, without a readable response, or if the signal is aborted
 */
export async function ask<Data>(
  { api, timing }: Context,
  signal: AbortSignal | undefined,
  call: (api: Context['api'], signal: AbortSignal) => Promise<Outcome<Data>>
): Promise<Data> {
  if (signal?.aborted) throw aborted(signal)
  const deadline = startDeadline(signal, timing.requestMs)
  try {
    const { data, error, response } = await deadline.race(call(api, deadline.signal))
    if (!response.ok) throw failureOf(error, response)
    if (data === undefined) throw unreadable('the body is empty', response)
    return data
  } catch (error) {
    throw asClientError(error, signal)
  } finally {
    deadline.end()
  }
}

/** Converts an error from fetch, or from reading its response, to a ClientError. */
export function asClientError(error: unknown, signal: AbortSignal | undefined): ClientError {
  if (error instanceof ClientError) return error
  if (signal?.aborted) return aborted(signal)
  if (error instanceof SyntaxError)
    return new ClientError('The response is not JSON', { code: 'UNREADABLE' }, { cause: error })
  return new ClientError('The service did not respond', { code: 'NETWORK' }, { cause: error })
}

function unreadable(what: string, { status, headers }: Pick<Response, 'status' | 'headers'>): ClientError {
  return new ClientError(`The response with status ${status} did not come from the service: ${what}`, {
    code: 'UNREADABLE',
    status,
    ...retryAfterOf(headers)
  })
}

/** Reads the error from a failed response (interface 3.1). */
export function failureOf(body: unknown, response: Pick<Response, 'status' | 'headers'>): ClientError {
  const { status, headers } = response
  if (!isRecord(body) || typeof body['code'] !== 'string' || typeof body['message'] !== 'string')
    return unreadable('the body has no error code. Check baseUrl, including its path', response)
  const { code, message, requestId, details, allowance, customCode } = body
  const facts = {
    status,
    ...(typeof requestId === 'string' && { requestId }),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    ...(isAllowance(allowance) && { allowance }),
    ...(typeof customCode === 'string' && { customCode }),
    ...retryAfterOf(headers)
  }
  return isServiceCode(code)
    ? new ClientError(message, { code, ...facts })
    : new ClientError(message, { code: 'UNKNOWN', serviceCode: code, ...facts })
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDetail = (value: unknown): value is { path: string; message: string } =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'

const isAllowance = (value: unknown): value is NonNullable<ServiceFailure<string>['allowance']> =>
  isRecord(value) && ['token', 'spender', 'needed', 'found'].every(name => typeof value[name] === 'string')

/** Reads `retry-after` in milliseconds. The service sends seconds; a proxy might send a date. */
function retryAfterOf(headers: Headers): { retryAfter?: number } {
  const text = headers.get('retry-after')
  if (text === null) return {}
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? {} : { retryAfter: Math.max(0, ms) }
}
