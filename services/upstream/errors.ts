import type { ErrorCode } from '../../schemas/error-catalogue.ts'
import { ServiceError } from '../errors/index.ts'
import { cleaned } from '../errors/shown.ts'

/**
 * The result of a call, for the metrics. `refused`: the upstream rejected only this request, for example with 400, 404
 * or 422. `failed`: any other status outside 2xx, or another failure. `busy` and `paused`: the call was not made.
 */
export type UpstreamResult = 'answered' | 'refused' | 'timeout' | 'failed' | 'busy' | 'paused'

/** An upstream failed or sent an invalid response: 502. The message contains the upstream's name, so it is only logged. */
export class UpstreamError extends ServiceError {
  readonly result: UpstreamResult = 'failed'

  constructor(
    upstream: string,
    problem: string,
    cause?: unknown,
    code: ErrorCode = 'UPSTREAM_ERROR',
    headers: Record<string, string> = {}
  ) {
    super(code, `${upstream}: ${problem}`, { cause, headers })
  }
}

export class UpstreamTimeoutError extends UpstreamError {
  override readonly result = 'timeout'

  constructor(upstream: string, problem: string, cause?: unknown) {
    super(upstream, problem, cause, 'UPSTREAM_TIMEOUT')
  }
}

/** The call was not made, because too many calls are waiting for the upstream: 503. */
export class UpstreamBusyError extends UpstreamError {
  override readonly result = 'busy'

  constructor(upstream: string) {
    super(upstream, 'too many calls are waiting', undefined, 'UPSTREAM_BUSY')
  }
}

/** The call was not made, because the last calls timed out: 504. */
export class UpstreamPausedError extends UpstreamError {
  override readonly result = 'paused'

  constructor(upstream: string) {
    const problem = 'calls are paused because the last calls timed out'
    super(upstream, problem, undefined, 'UPSTREAM_TIMEOUT', { 'retry-after': '1' })
  }
}

export const isTimeout = (error: unknown) => error instanceof Error && /Timeout/.test(error.name)

const MAX_SHOWN = 300

/** Statuses below 500 that affect every request, because the key, the address or the request rate is rejected. */
const REFUSES_ALL = [401, 403, 407, 429]

/** An upstream responded with a status outside 2xx: 502, unless the caller converts the error. */
export class UpstreamRefusalError extends UpstreamError {
  override readonly result: UpstreamResult
  readonly httpStatus: number
  /** The gRPC code in the JSON body. */
  readonly upstreamCode: number | undefined
  /** The message in the JSON body, to be parsed: it can be long, and contain secrets. */
  readonly reason: string | undefined
  readonly shortReason: string | undefined

  /** @param body parsed; normally `{ code?, message?, error? }` */
  constructor(upstream: string, httpStatus: number, body: unknown) {
    const { code, message, error }: Record<string, unknown> = Object(body)
    const text = [message, error].find(value => typeof value === 'string' && value !== '')
    const reason = typeof text === 'string' ? text : undefined
    const shortReason = reason && cleaned(reason, MAX_SHOWN)
    super(upstream, `HTTP status ${httpStatus}${shortReason === undefined ? '' : ` (${shortReason})`}`)
    this.httpStatus = httpStatus
    this.upstreamCode = typeof code === 'number' ? code : undefined
    this.reason = reason
    this.shortReason = shortReason
    const isOfOneRequest = httpStatus >= 400 && httpStatus < 500 && !REFUSES_ALL.includes(httpStatus)
    this.result = isOfOneRequest || (httpStatus === 500 && saysNotFound(this)) ? 'refused' : 'failed'
  }
}

const GRPC_INVALID_ARGUMENT = 3
const GRPC_NOT_FOUND = 5

/**
 * Returns whether an error from the chain's REST API means "not found" (interface 19.7). Modules that wrap the SDK's
 * error lose its code, so its message is checked too.
 */
export function saysNotFound(error: unknown): boolean {
  if (!(error instanceof UpstreamRefusalError)) return false
  const { upstreamCode, reason = '' } = error
  if (upstreamCode === GRPC_NOT_FOUND || upstreamCode === GRPC_INVALID_ARGUMENT) return true
  return upstreamCode !== undefined && reason.includes('key not found')
}
