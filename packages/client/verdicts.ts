import type { ClientError, ErrorCode, ServiceCode } from './errors.ts'

/**
 * What an error means for the submission (docs/errors.md):
 * - `refused`: the attempt was not accepted, and a retry would get the same response
 * - `exists`: like `refused`, but a submission with the same identity exists and might have been executed
 * - `again`: the attempt was not accepted, but a retry might be
 * - `unknown`: the attempt might have been accepted; retry to find out
 */
export type Verdict = 'refused' | 'exists' | 'again' | 'unknown'

/** The verdict for each error code. A test compares this table with docs/errors.md. */
export const verdicts: Record<ServiceCode, Verdict> = {
  VALIDATION: 'refused',
  INVALID_JSON: 'refused',
  BAD_REQUEST: 'refused',
  OPTIONS_INVALID: 'refused',
  CHAIN_UNSUPPORTED: 'refused',
  CHAIN_FILTERED: 'refused',
  CHAIN_DISABLED: 'refused',
  ADDRESS_INVALID: 'refused',
  TOKEN_UNSUPPORTED: 'refused',
  TRANSFER_LIMIT: 'refused',
  QUOTE_REFUSED: 'refused',
  QUOTE_MISMATCH: 'refused',
  QUOTE_UNKNOWN: 'refused',
  QUOTE_EXPIRED: 'refused',
  APPROVAL_INVALID: 'refused',
  APPROVAL_MISSING: 'refused',
  CUSTOM_VALIDATION: 'refused',
  CHAIN_REJECTED: 'refused',
  LOCK_INVALID: 'refused',
  LOCK_UNKNOWN: 'refused',
  LOCK_PENDING: 'again',
  LOCK_ALREADY_USED: 'exists',
  KEY_INVALID: 'refused',
  SCOPE_MISSING: 'refused',
  ORIGIN_BLOCKED: 'refused',
  NOT_COMPLIANT: 'refused',
  ROUTE_NOT_FOUND: 'refused',
  NOT_FOUND: 'exists',
  QUOTE_ALREADY_USED: 'exists',
  IDEMPOTENCY_KEY_REUSED: 'exists',
  PAYMENT_ALREADY_USED: 'exists',
  BODY_TOO_LARGE: 'refused',
  UNSUPPORTED_MEDIA_TYPE: 'refused',
  RATE_LIMITED: 'again',
  QUOTA_EXCEEDED: 'again',
  BACKLOG_SHARE: 'again',
  STREAM_SHARE: 'again',
  LOCK_SHARE: 'again',
  INTERNAL: 'unknown',
  SUBMISSION_DAMAGED: 'exists',
  NOT_CONFIGURED: 'refused',
  UPSTREAM_ERROR: 'again',
  UPSTREAM_TIMEOUT: 'again',
  UPSTREAM_BUSY: 'again',
  STREAMS_BUSY: 'again',
  INTAKE_CLOSED: 'again',
  DAILY_FEE_LIMIT: 'refused',
  OVERLOADED: 'again',
  WALLET_NOT_WHITELISTED: 'again',
  WALLET_UNKNOWN: 'again',
  SHADOW: 'again',
  SUBMISSION_UNKNOWN: 'unknown',
  STORE_UNAVAILABLE: 'again',
  VALIDATION_UNAVAILABLE: 'again',
  COMPLIANCE_UNAVAILABLE: 'again'
}

/**
 * Rejections that the service, or a proxy, sends before looking up the submission. They prove nothing about earlier
 * attempts.
 */
const refusedUnread = new Set<ErrorCode>([
  'INVALID_JSON',
  'BAD_REQUEST',
  'KEY_INVALID',
  'SCOPE_MISSING',
  'ORIGIN_BLOCKED',
  'ROUTE_NOT_FOUND',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE'
])

export const isRefusedUnread = ({ code }: ClientError): boolean => refusedUnread.has(code)

export const isServiceCode = (code: string): code is ServiceCode => Object.hasOwn(verdicts, code)

/** Classifies an error by its code, or by its status if the code is not in the table. */
export function verdictOf({ failure }: ClientError): Verdict {
  if (failure.code === 'NETWORK' || failure.code === 'ABORTED') return 'unknown'
  if (failure.code !== 'UNREADABLE' && failure.code !== 'UNKNOWN') return verdicts[failure.code]
  const { status = 0 } = failure
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'exists' : 'unknown'
}

/** Returns whether a retry might succeed. Applies to any request, not only to submissions. */
export function isTransient(error: ClientError): boolean {
  const verdict = verdictOf(error)
  return error.code !== 'ABORTED' && (verdict === 'again' || verdict === 'unknown')
}
