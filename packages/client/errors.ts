import type { components } from './openapi.ts'

type ErrorBody = components['schemas']['Error']

/** The error codes of the service that this version of the client knows. docs/errors.md describes each. */
export type ServiceCode = ErrorBody['code']

/** An error that the service returned. */
export interface ServiceFailure<Code> {
  code: Code
  status: number
  /** Identifies the request in the service's log. Missing when a submission was refused after its response. */
  requestId?: string
  /** The invalid parameters. */
  details: readonly { path: string; message: string }[]
  /** The integrator's own code, optional with `CUSTOM_VALIDATION`. */
  customCode?: string
  /** The wait that the service asks for, in milliseconds. */
  retryAfter?: number
}

/** Why a call failed: a union on `code`. */
export type Failure =
  | ServiceFailure<ServiceCode>
  /** An error code that only a newer service has; `serviceCode` contains it. */
  | (ServiceFailure<'UNKNOWN'> & { serviceCode: string })
  /** The response did not come from the service (from a proxy, for instance), or it was truncated. */
  | { code: 'UNREADABLE'; status?: number; retryAfter?: number }
  /** No response. */
  | { code: 'NETWORK' }
  /** The caller's signal aborted the call, or its `onState` threw. */
  | { code: 'ABORTED' }

export type ErrorCode = Failure['code']

interface ErrorFacts {
  mayBeAccepted?: boolean
  cause?: unknown
}

/** The error that all calls of the client throw. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly failure: Failure
  /**
   * True when any call of the client may have submitted it successfully, or still may, or when another submission has the
   * same identity. Submit the same body again. Do not request a new quote: the user would pay twice.
   */
  readonly mayBeAccepted: boolean

  constructor(message: string, failure: Failure, { mayBeAccepted = false, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.mayBeAccepted = mayBeAccepted
  }

  /** For `switch (error.code)`. `failure` has the same code with its details. */
  get code(): ErrorCode {
    return this.failure.code
  }

  /** The wait that the service asks for, in milliseconds. */
  get retryAfter(): number | undefined {
    return 'retryAfter' in this.failure ? this.failure.retryAfter : undefined
  }
}
