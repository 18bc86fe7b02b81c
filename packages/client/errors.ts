import type { components } from './openapi.ts'

type ErrorBody = components['schemas']['Error']

/** The codes of the service that this version of the client knows; docs/errors.md describes each. */
export type ServiceCode = ErrorBody['code']

/** An error that the service answered. */
export interface ServiceFailure<Code> {
  code: Code
  status: number
  /** Names the request in the service's log; not there where a submission was refused after its answer. */
  requestId?: string
  /** The parameters at fault. */
  details: readonly { path: string; message: string }[]
  /** The integrator's own, with `CUSTOM_VALIDATION` where it has one. */
  customCode?: string
  /** How long the service asks to wait, in milliseconds. */
  retryAfter?: number
}

/** Why a call failed: a union on `code`. */
export type Failure =
  | ServiceFailure<ServiceCode>
  /** An error of a newer service, which calls it `serviceCode`. */
  | (ServiceFailure<'UNKNOWN'> & { serviceCode: string })
  /** An answer that is not the service's, such as that of a proxy, or one that was cut off. */
  | { code: 'UNREADABLE'; status?: number; retryAfter?: number }
  /** No answer. */
  | { code: 'NETWORK' }
  /** The caller's signal ended the call, or an error that its `onState` threw. */
  | { code: 'ABORTED' }

export type ErrorCode = Failure['code']

interface ErrorFacts {
  mayBeAccepted?: boolean
  cause?: unknown
}

/** What every call of the client throws. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly failure: Failure
  /**
   * True when the submission may have been accepted or may yet be, from whichever call of the client, or when another one
   * has its identity. Then submit the same body again, and do not ask for a new quote: the user would pay twice.
   */
  readonly mayBeAccepted: boolean

  constructor(message: string, failure: Failure, { mayBeAccepted = false, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.mayBeAccepted = mayBeAccepted
  }

  /** For `switch (error.code)`; `failure` has the same code, with what belongs to it. */
  get code(): ErrorCode {
    return this.failure.code
  }

  /** How long the service asks to wait, in milliseconds. */
  get retryAfter(): number | undefined {
    return 'retryAfter' in this.failure ? this.failure.retryAfter : undefined
  }
}
