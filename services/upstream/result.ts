import {
  saysNotFound,
  UpstreamBusyError,
  UpstreamPausedError,
  UpstreamRefusalError,
  UpstreamTimeoutError
} from './errors.ts'

/**
 * The result of a call. `refused` is a status by which the upstream refuses this one request, such as 400, 404 or 422; with
 * any other status outside 2xx the call has `failed`. A call that is `busy` or `paused` was not made.
 */
export type UpstreamResult = 'answered' | 'refused' | 'timeout' | 'failed' | 'busy' | 'paused'

/** Statuses below 500 that every request would get: a key, an address or the rate of the calls is refused. */
const REFUSES_ALL = [401, 403, 407, 429]

/** @param error what the call threw */
export function resultOf(error: unknown): UpstreamResult {
  if (error instanceof UpstreamBusyError) return 'busy'
  if (error instanceof UpstreamPausedError) return 'paused'
  if (error instanceof UpstreamTimeoutError) return 'timeout'
  return error instanceof UpstreamRefusalError && isOfOneRequest(error) ? 'refused' : 'failed'
}

function isOfOneRequest(refusal: UpstreamRefusalError): boolean {
  const { httpStatus } = refusal
  if (httpStatus === 500) return saysNotFound(refusal)
  return httpStatus >= 400 && httpStatus < 500 && !REFUSES_ALL.includes(httpStatus)
}
