import type { components } from './openapi.ts'

type ErrorBody = components['schemas']['ErrorBody']

/** The service's error codes, as of this client version. docs/errors.md describes each code. */
export type ServiceCode = ErrorBody['code']

/** An error that the service returned. */
export interface ServiceFailure<Code> {
  code: Code
  status: number
  /** Identifies the request in the service's log. Missing if the chain rejected an accepted submission. */
  requestId?: string
  details: readonly { path: string; message: string }[]
  /** What the user must approve before the same body is submitted again. Only with `APPROVAL_MISSING`. */
  allowance?: NonNullable<ErrorBody['allowance']>
  /** The code that the integrator's validation rule returned, if any. Only with `CUSTOM_VALIDATION`. */
  customCode?: string
  /** How long to wait before retrying, in milliseconds, if the service sent `retry-after`. */
  retryAfter?: number
}

/** Why a call failed. Discriminated by `code`. */
export type Failure =
  | ServiceFailure<ServiceCode>
  /** An error code that this client version does not support; `serviceCode` contains it. */
  | (ServiceFailure<'UNKNOWN'> & { serviceCode: string })
  /** The response is truncated, or came from something other than the service, such as a proxy. */
  | { code: 'UNREADABLE'; status?: number; retryAfter?: number }
  /** The request got no response. */
  | { code: 'NETWORK' }
  /** The caller's signal aborted the call, or the caller's `onState` threw. */
  | { code: 'ABORTED' }

export type ErrorCode = Failure['code']

/** The only error class that client calls throw. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly failure: Failure
  /**
   * Whether the service might have accepted the submission in any call of this client, might still accept it, or has
   * another submission with the same identity. If true, submit the same body again: with a new quote, the user could pay
   * twice.
   */
  readonly mayBeAccepted: boolean

  constructor(
    message: string,
    failure: Failure,
    { mayBeAccepted = false, cause }: { mayBeAccepted?: boolean; cause?: unknown } = {}
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.mayBeAccepted = mayBeAccepted
  }

  get code(): ErrorCode {
    return this.failure.code
  }

  /** The delay that the service asked for, in milliseconds, if any. */
  get retryAfter(): number | undefined {
    return 'retryAfter' in this.failure ? this.failure.retryAfter : undefined
  }
}
