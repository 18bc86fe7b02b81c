import { type ErrorCode, type ErrorStatus, errorCatalogue } from './catalogue.ts'

/** One invalid parameter (interface 3.3). */
export interface ErrorDetail {
  /** JSON pointer in the body, query or path. */
  path: string
  message: string
}

interface ServiceErrorOptions extends ErrorOptions {
  /** Headers of the answer, such as `retry-after`. */
  headers?: Record<string, string>
  details?: ErrorDetail[]
  customCode?: string
}

/**
 * An error with an answer for the client. Below status 500 the client gets its message; from 500 on the client gets
 * the fixed text of the code, and the message and cause go to the log (interface 3.4).
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly statusCode: ErrorStatus
  readonly headers: Record<string, string> | undefined
  readonly details: ErrorDetail[] | undefined
  /** The integrator's own, of a refusal by its validation (interface 12.11). */
  readonly customCode: string | undefined

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.statusCode = errorCatalogue[code].statusCode
    this.headers = options.headers
    this.details = options.details
    this.customCode = options.customCode
  }
}

export class NotFoundError extends ServiceError {
  constructor(message: string) {
    super('NOT_FOUND', message)
  }
}

/** The URL has a route, but not for this method (interface 3.21). */
export class MethodNotAllowedError extends ServiceError {
  constructor(allowed: readonly string[]) {
    const allow = allowed.join(', ')
    super('METHOD_NOT_ALLOWED', `The method must be one of ${allow}`, { headers: { allow } })
  }
}

/** What of a submission belongs to another one: its quote, its `Idempotency-Key` or its card or bank payment. */
const takenIdentities = {
  fee: { code: 'QUOTE_ALREADY_USED', name: 'feeId', path: '/options/feeId' },
  key: { code: 'IDEMPOTENCY_KEY_REUSED', name: 'Idempotency-Key', path: '/idempotency-key' },
  payment: { code: 'PAYMENT_ALREADY_USED', name: 'transactionIdSeed', path: '/options/transactionIdSeed' }
} as const

/** An identity of a submission already belongs to other content (interface 6.26, 7.5). */
export class IdentityTakenError extends ServiceError {
  constructor(kind: keyof typeof takenIdentities) {
    const { code, name, path } = takenIdentities[kind]
    const message = 'belongs to another submission already'
    super(code, `${name} ${message}`, { details: [{ path, message }] })
  }
}

/** The submission was not accepted: store unavailable or backlog full (interface 6.28). */
export class IntakeClosedError extends ServiceError {
  constructor(message = 'Submissions are not accepted at the moment') {
    super('INTAKE_CLOSED', message, { headers: { 'retry-after': '5' } })
  }
}

/** The request was not looked at, because the process has more to do than it can (interface 21.8). */
export class OverloadedError extends ServiceError {
  constructor() {
    super('OVERLOADED', errorCatalogue.OVERLOADED.meaning, { headers: { 'retry-after': '1' } })
  }
}

/** The submission was not accepted: too many of the same client wait (interface 6.43). */
export class BacklogShareError extends ServiceError {
  constructor() {
    super('BACKLOG_SHARE', errorCatalogue.BACKLOG_SHARE.meaning, { headers: { 'retry-after': '5' } })
  }
}

/** No event stream was opened: the client address, or all clients together, have as many as they may (interface 22.7). */
export class StreamLimitError extends ServiceError {
  constructor(code: 'STREAM_SHARE' | 'STREAMS_BUSY') {
    super(code, errorCatalogue[code].meaning, { headers: { 'retry-after': '5' } })
  }
}

/** It is not known whether the submission was accepted: the store was lost while it was stored (interface 6.42). */
export class SubmissionUnknownError extends ServiceError {
  constructor(options: ErrorOptions) {
    super('SUBMISSION_UNKNOWN', errorCatalogue.SUBMISSION_UNKNOWN.meaning, {
      ...options,
      headers: { 'retry-after': '5' }
    })
  }
}

/** The store of the submissions cannot be read for a while (interface 7.19). */
export class SubmissionsUnreadableError extends ServiceError {
  constructor(options: ErrorOptions) {
    super('STORE_UNAVAILABLE', errorCatalogue.STORE_UNAVAILABLE.meaning, {
      ...options,
      headers: { 'retry-after': '5' }
    })
  }
}

/** The submission was not accepted: the integrator's validation failed (interface 12.5). */
export class ValidationUnavailableError extends ServiceError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('VALIDATION_UNAVAILABLE', message, { ...options, headers: { 'retry-after': '5' } })
  }
}

/** The submission exists, and its row in the store is damaged (interface 7.22). */
export class SubmissionDamagedError extends ServiceError {
  constructor(options: ErrorOptions) {
    super('SUBMISSION_DAMAGED', errorCatalogue.SUBMISSION_DAMAGED.meaning, options)
  }
}

/** The submission was not accepted: the wallet has paid as much in fees as it may on one day (interface 6.28, 17.10). */
export class DailyFeeLimitError extends ServiceError {
  /** @param ms until the next day begins */
  constructor(ms: number) {
    super('DAILY_FEE_LIMIT', errorCatalogue.DAILY_FEE_LIMIT.meaning, {
      headers: { 'retry-after': String(Math.ceil(ms / 1000)) }
    })
  }
}

/** The submission was not accepted: the chain refuses all requests of this wallet (interface 6.28, 17.4). */
export class WalletNotWhitelistedError extends ServiceError {
  constructor() {
    super('WALLET_NOT_WHITELISTED', errorCatalogue.WALLET_NOT_WHITELISTED.meaning, {
      headers: { 'retry-after': '30' }
    })
  }
}

/** The submission was not accepted: the chain does not know the wallet yet (interface 6.28). */
export class WalletUnknownError extends ServiceError {
  constructor() {
    super('WALLET_UNKNOWN', errorCatalogue.WALLET_UNKNOWN.meaning, { headers: { 'retry-after': '5' } })
  }
}
