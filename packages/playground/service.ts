import { ClientError, createClient, type paths } from '../client/index.ts'
import { type Detail, Problem } from './problem.ts'
import { recordingFetch } from './state/exchanges.ts'

/** URL of the service that serves the page, including any path prefix. */
export const baseUrl = location.href.replace(/\/playground\/?(?:[?#].*)?$/, '')

export const client = createClient({ baseUrl, fetch: request => recordingFetch(request, baseUrl) })

type Answer<Path extends '/chains' | '/chains/env' | '/chains/pool'> =
  paths[Path]['get']['responses'][200]['content']['application/json']

export type Chain = Answer<'/chains'>[number]
export type Environment = Answer<'/chains/env'>
export type Pool = Answer<'/chains/pool'>[number]

interface ErrorBody {
  statusCode: number
  code: string
  message: string
  requestId: string
  details?: Detail[]
}

/**
 * Returns the body of the service's response to a `client.api` call.
 * @throws Problem when the service refuses
 */
export async function answerOf<Data>(call: Promise<{ data?: Data; error?: ErrorBody }>): Promise<Data> {
  const { data, error } = await call
  if (data !== undefined) return data
  if (error === undefined) throw unreadable()
  throw new Problem(error)
}

export const unreadable = () =>
  new Problem({ code: 'UNREADABLE', message: 'The answer is not the service’s.' })

/** Converts a thrown value for display. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  // fetch throws a TypeError when there is no response.
  if (error instanceof TypeError)
    return new Problem({ code: 'NETWORK', message: 'The service did not answer.' })
  if (!(error instanceof ClientError)) return new Problem({ code: 'PAGE', message: String(error) })
  const { failure, message, mayBeAccepted } = error
  const facts = { code: failure.code, message, mayBeAccepted }
  if (!('details' in failure)) return new Problem(facts)
  const { status: statusCode, requestId, details } = failure
  const code = failure.code === 'UNKNOWN' ? failure.serviceCode : failure.code
  return new Problem({ ...facts, code, statusCode, details, ...(requestId && { requestId }) })
}
