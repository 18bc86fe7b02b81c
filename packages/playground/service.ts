import { ClientError, createClient, type schemas } from '../client/index.ts'
import { recordingFetch } from './exchanges.ts'

interface Facts {
  /** An error code of the service (docs/errors.md), the client or the page. */
  readonly code: string
  readonly message: string
  readonly statusCode?: number
  readonly requestId?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  /** Whether the service might have accepted the submission. If so, retry only with the same body. */
  readonly mayBeAccepted?: boolean
}

/** An error to display. */
export class Problem extends Error {
  readonly facts: Facts

  constructor(facts: Facts) {
    super(facts.message)
    this.facts = facts
  }
}

/** URL of the service that serves the page, including any path prefix. */
export const baseUrl = location.href.replace(/\/playground\/?(?:[?#].*)?$/, '')

export const client = createClient({ baseUrl, fetch: request => recordingFetch(request, baseUrl) })

/**
 * Returns the body of the service's response to a `client.api` call.
 * @throws Problem when the response is an error
 */
export async function dataOf<T>(call: Promise<{ data?: T; error?: schemas.ErrorBody }>): Promise<T> {
  const { data, error } = await call
  if (data !== undefined) return data
  if (error === undefined) throw unreadable()
  throw new Problem(error)
}

/**
 * Sends a request to one of the playground's own routes, as a POST if it has a body.
 * @returns the body of the response
 * @throws Problem when the response is an error, TypeError when there is none
 */
export async function askPlayground<T>(path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const content = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  }
  const response = await fetch(`${baseUrl}/playground/${path}`, {
    ...(body && content),
    ...(signal && { signal })
  })
  const answer = await response.json().catch(() => undefined)
  if (answer === undefined) throw unreadable()
  if (!response.ok) throw new Problem(answer)
  return answer
}

export const unreadable = () =>
  new Problem({ code: 'UNREADABLE', message: 'The response did not come from the service.' })

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  // fetch throws a TypeError if there is no response.
  if (error instanceof TypeError)
    return new Problem({ code: 'NETWORK', message: 'The service did not respond.' })
  if (!(error instanceof ClientError)) return new Problem({ code: 'PAGE', message: String(error) })
  const { failure, message, mayBeAccepted } = error
  const facts = { code: failure.code, message, mayBeAccepted }
  if (!('details' in failure)) return new Problem(facts)
  const { status: statusCode, requestId, details } = failure
  const code = failure.code === 'UNKNOWN' ? failure.serviceCode : failure.code
  return new Problem({ ...facts, code, statusCode, details, ...(requestId && { requestId }) })
}
