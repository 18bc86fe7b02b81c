import {
  type ErrorCode,
  type ErrorStatus,
  errorCatalogue,
  retryAfterSeconds
} from '../../schemas/error-catalogue.ts'
import type { Allowance, ShadowResult } from '../../schemas/errors.ts'

export interface ErrorDetail {
  /** JSON pointer in the body, query or path. */
  path: string
  message: string
}

interface ErrorFields {
  details?: ErrorDetail[]
  allowance?: Allowance
  customCode?: string
  shadow?: ShadowResult
}

interface ServiceErrorOptions extends ErrorOptions, ErrorFields {
  headers?: Record<string, string>
}

/**
 * An error with a response for the client. For status 500 and above, the client gets the code's fixed text, and the message
 * and cause are only logged (interface 3.4).
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly statusCode: ErrorStatus
  readonly headers: Record<string, string>
  readonly fields: ErrorFields

  constructor(code: ErrorCode, message?: string, { cause, headers, ...fields }: ServiceErrorOptions = {}) {
    const { statusCode, meaning } = errorCatalogue[code]
    const seconds = retryAfterSeconds[code]
    super(message ?? meaning, { cause })
    this.name = new.target.name
    this.code = code
    this.statusCode = statusCode
    this.headers = { ...(seconds !== undefined && { 'retry-after': String(seconds) }), ...headers }
    this.fields = fields
  }
}

/**
 * Creates an error about one field.
 * @param field path, such as `amount` or `options/feeId`
 * @param problem appended to the field name
 */
export function fieldError(field: string, problem: string, code: ErrorCode = 'VALIDATION'): ServiceError {
  const details = [{ path: `/${field}`, message: problem }]
  return new ServiceError(code, `${field.replaceAll('/', '.')} ${problem}`, { details })
}

const takenIdentities = {
  fee: { code: 'QUOTE_ALREADY_USED', name: 'feeId', path: '/options/feeId' },
  lock: { code: 'LOCK_ALREADY_USED', name: 'htlcCreationHash', path: '/htlcCreationHash' },
  registration: { code: 'LOCK_ALREADY_USED', name: 'htlcCreationHash', path: '/htlcCreationHash' },
  reclaim: { code: 'LOCK_ALREADY_USED', name: 'txHash', path: '/txHash' },
  key: { code: 'IDEMPOTENCY_KEY_REUSED', name: 'Idempotency-Key', path: '/idempotency-key' },
  payment: { code: 'PAYMENT_ALREADY_USED', name: 'transactionIdSeed', path: '/options/transactionIdSeed' }
} as const

/**
 * The feeId, idempotency key, payment seed or lock belongs to a submission with different content, or another target
 * (interface 6.26, 7.29).
 */
export class IdentityTakenError extends ServiceError {
  constructor(kind: keyof typeof takenIdentities) {
    const { code, name, path } = takenIdentities[kind]
    const message = 'belongs to another submission already'
    super(code, `${name} ${message}`, { details: [{ path, message }] })
  }
}
