/**
 * The stable error codes: each with its one HTTP status and what it tells a client.
 * The README's table and the OpenAPI document are held against this list.
 */
export const errorCatalogue = {
  VALIDATION: { statusCode: 400, meaning: 'A parameter is missing or malformed; `details` says which.' },
  INVALID_JSON: { statusCode: 400, meaning: 'The body is not JSON.' },
  BAD_REQUEST: { statusCode: 400, meaning: 'The request cannot be understood as HTTP.' },
  OPTIONS_INVALID: { statusCode: 400, meaning: 'The `options` of a submission break a rule of their rail.' },
  CHAIN_UNSUPPORTED: {
    statusCode: 400,
    meaning: 'The service does not know the chain, or not at that end of a transfer; `details` says which.'
  },
  CHAIN_FILTERED: { statusCode: 400, meaning: 'The chain filter excludes a chain; `details` says which.' },
  CHAIN_DISABLED: { statusCode: 400, meaning: 'A chain is disabled at present; `details` says which.' },
  ADDRESS_INVALID: {
    statusCode: 400,
    meaning: 'An address is not one of its chain; `details` says which and what is wrong with it.'
  },
  TOKEN_UNSUPPORTED: { statusCode: 400, meaning: 'A chain does not have the token; `details` says which.' },
  QUOTE_REFUSED: {
    statusCode: 400,
    meaning: 'The fee service does not quote the transfer; its words say why.'
  },
  CUSTOM_VALIDATION: {
    statusCode: 400,
    meaning: 'The integrator’s own validation refused the transaction, in its words.'
  },
  CHAIN_REJECTED: { statusCode: 400, meaning: 'The chain refused the transaction, for good.' },
  ORIGIN_BLOCKED: { statusCode: 403, meaning: 'The browser origin is not listed in `DOMAIN`.' },
  NOT_COMPLIANT: {
    statusCode: 403,
    meaning: 'An address does not meet the compliance requirements; `details` says which.'
  },
  NOT_FOUND: { statusCode: 404, meaning: 'No such route, chain, transaction or submission.' },
  REQUEST_TIMEOUT: { statusCode: 408, meaning: 'The request did not arrive completely in time.' },
  QUOTE_ALREADY_USED: {
    statusCode: 409,
    meaning: 'The feeId or idempotency key stands for another transfer.'
  },
  BODY_TOO_LARGE: { statusCode: 413, meaning: 'The body exceeds the size limit.' },
  UNSUPPORTED_MEDIA_TYPE: { statusCode: 415, meaning: 'The body is not of type `application/json`.' },
  RATE_LIMITED: { statusCode: 429, meaning: 'Too many requests; `retry-after` says when to come back.' },
  HEADERS_TOO_LARGE: { statusCode: 431, meaning: 'The headers exceed the size limit.' },
  INTERNAL: { statusCode: 500, meaning: 'A fault of the service; the log holds it under the request id.' },
  NOT_CONFIGURED: { statusCode: 501, meaning: 'This server is not set up for what was asked.' },
  UPSTREAM_ERROR: { statusCode: 502, meaning: 'A system behind the service failed or answered nonsense.' },
  INTAKE_CLOSED: { statusCode: 503, meaning: 'Nothing was taken; try again after `retry-after` seconds.' },
  COMPLIANCE_UNAVAILABLE: {
    statusCode: 503,
    meaning: 'Compliance cannot be checked now, so nothing was taken; try again after `retry-after` seconds.'
  },
  WALLET_NOT_WHITELISTED: {
    statusCode: 503,
    meaning: 'The chain operator has not whitelisted the service’s wallet; nothing was taken.'
  },
  WALLET_UNKNOWN: {
    statusCode: 503,
    meaning: 'The chain does not know the service’s wallet yet, or no node answers; nothing was taken.'
  },
  UPSTREAM_TIMEOUT: { statusCode: 504, meaning: 'A system behind the service did not answer in time.' }
} as const

export type ErrorCode = keyof typeof errorCatalogue
export type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['statusCode']

/** One parameter at fault: its JSON pointer in the body, query or path, and what is wrong with it. */
export interface ErrorDetail {
  path: string
  message: string
}

export interface ServiceErrorOptions extends ErrorOptions {
  /** Response headers that belong to the error, such as `retry-after`. */
  headers?: Record<string, string>
  details?: ErrorDetail[]
}

/**
 * An error that a client may learn of: its message is sent, except with a 5xx status, whose text must
 * never carry internals; there the cause goes to the log alone.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly statusCode: ErrorStatus
  readonly headers: Record<string, string> | undefined
  readonly details: ErrorDetail[] | undefined

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.statusCode = errorCatalogue[code].statusCode
    this.headers = options.headers
    this.details = options.details
  }
}

/** The request is well-formed but says something impossible or contradictory. */
export class ValidationError extends ServiceError {
  constructor(message: string, details?: ErrorDetail[]) {
    super('VALIDATION', message, details === undefined ? {} : { details })
  }
}

export class NotFoundError extends ServiceError {
  constructor(message: string) {
    super('NOT_FOUND', message)
  }
}

/** The identity of a submission already stands for other content (contract §4). */
export class QuoteAlreadyUsedError extends ServiceError {
  constructor(message = 'This quote was already used for another transfer') {
    super('QUOTE_ALREADY_USED', message)
  }
}

/** Nothing was taken: shutting down, store unavailable or backlog full (contract §3). */
export class IntakeClosedError extends ServiceError {
  constructor(message = 'Submissions are not accepted at the moment', retryAfterSeconds = 5) {
    super('INTAKE_CLOSED', message, { headers: { 'retry-after': String(retryAfterSeconds) } })
  }
}

/** Nothing was taken: the chain takes no request of the service's wallet (spec §1.3). */
export class WalletNotWhitelistedError extends ServiceError {
  constructor() {
    super('WALLET_NOT_WHITELISTED', errorCatalogue.WALLET_NOT_WHITELISTED.meaning, {
      headers: { 'retry-after': '30' }
    })
  }
}

/** Nothing was taken: the chain does not know the service's wallet yet. */
export class WalletUnknownError extends ServiceError {
  constructor() {
    super('WALLET_UNKNOWN', errorCatalogue.WALLET_UNKNOWN.meaning, { headers: { 'retry-after': '5' } })
  }
}
