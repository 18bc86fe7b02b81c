/** The error codes by HTTP status (interface 3.2). Tests compare docs/errors.md and openapi.json with them. */
const meanings = {
  400: {
    VALIDATION: 'A parameter is missing or invalid; `details` names it.',
    INVALID_JSON: 'The body is not valid JSON.',
    BAD_REQUEST: 'The request is malformed.',
    OPTIONS_INVALID: 'The `options` of the submission are invalid; `details` names the option.',
    CHAIN_UNSUPPORTED: 'The chain is not supported at that end of a transfer; `details` names the field.',
    CHAIN_FILTERED: 'The operator has excluded the chain; `details` names the field.',
    CHAIN_DISABLED: 'The chain is currently disabled; `details` names the field.',
    ADDRESS_INVALID: 'The address is not valid on its chain; `details` names the field and the problem.',
    TOKEN_UNSUPPORTED: 'The chain does not support the token; `details` names the field.',
    TRANSFER_LIMIT:
      'The amount exceeds the largest transfer that the chain allows; `details` names the field.',
    QUOTE_REFUSED: 'The fee service refused to quote the transfer; the message contains its reason.',
    QUOTE_MISMATCH:
      'The submission differs from its quote; `details` lists each field with the quoted value.',
    QUOTE_UNKNOWN: 'The `feeId` does not belong to a quote from this service; request a new quote.',
    QUOTE_EXPIRED: 'The quote has expired, and the same transfer now costs more; request a new quote.',
    APPROVAL_INVALID:
      'The signature does not approve this submission for the origin address; `details` contains the message to sign.',
    APPROVAL_MISSING:
      'The origin address has not approved enough of the token; `allowance` contains what to approve. Approve it, then submit the same body again.',
    CUSTOM_VALIDATION:
      'The integrator’s validation rejected the transaction; the message contains its reason, and `customCode` its code.',
    CHAIN_REJECTED: 'The chain permanently rejected the transaction.',
    LOCK_INVALID:
      'The Bitcoin transaction is not the lock of this intent, or came too late, or the submission is not that of the intent; the message contains the reason.',
    LOCK_UNKNOWN: 'There is no such lock intent of this caller, or it has expired; make a new one.'
  },
  401: { KEY_INVALID: 'The API key is missing, unknown or expired.' },
  403: {
    SCOPE_MISSING: 'The API key lacks a required scope; the message names it.',
    ORIGIN_BLOCKED: 'The browser origin is not listed in `DOMAIN`, or is not allowed to use the API key.',
    NOT_COMPLIANT: 'The address does not meet the compliance requirements; `details` names the field.'
  },
  404: {
    ROUTE_NOT_FOUND: 'The service has no such route, or the route does not support the method.',
    NOT_FOUND: 'There is no such chain, transaction or submission.',
    LOCK_PENDING:
      'The lock is not visible on Bitcoin yet, or has too few confirmations; retry after `retry-after` seconds.'
  },
  409: {
    QUOTE_ALREADY_USED:
      'The `feeId` already belongs to another submission, which may have been executed; do not pay again with a new quote.',
    IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` already belongs to a submission with different content.',
    PAYMENT_ALREADY_USED:
      'The card or bank payment of the `transactionIdSeed` already belongs to another submission, or to another target.',
    LOCK_ALREADY_USED:
      'Another transaction is already recorded as the lock of this intent, or another submission uses the lock.'
  },
  413: { BODY_TOO_LARGE: 'The body exceeds the size limit.' },
  415: { UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json`.' },
  429: {
    QUOTA_EXCEEDED: 'The quota of the API key is exhausted; retry after `retry-after` seconds.',
    RATE_LIMITED: 'Too many requests; retry after `retry-after` seconds.',
    BACKLOG_SHARE:
      'Too many submissions with this API key are waiting for the chain; the submission was not accepted. Retry after `retry-after` seconds.',
    LOCK_SHARE:
      'This client has too many open lock intents; nothing was stored. Retry after `retry-after` seconds.',
    STREAM_SHARE:
      'This client has too many open event streams; poll the status instead, or retry after `retry-after` seconds.'
  },
  500: {
    INTERNAL: 'Internal error; the log contains the cause under the request id.',
    SUBMISSION_DAMAGED:
      'The stored submission is damaged, so it is unknown whether it was executed; do not pay again, contact the operator.'
  },
  501: { NOT_CONFIGURED: 'This server is not configured for the request.' },
  502: { UPSTREAM_ERROR: 'An upstream system failed or sent an invalid response.' },
  503: {
    UPSTREAM_BUSY:
      'Too many requests are waiting for the same upstream system, check or submission; retry after `retry-after` seconds.',
    STREAMS_BUSY:
      'Too many event streams are open; poll the status instead, or retry after `retry-after` seconds.',
    INTAKE_CLOSED: 'The submission was not accepted; retry after `retry-after` seconds.',
    DAILY_FEE_LIMIT:
      'The service has reached its daily limit for chain fees; the submission was not accepted. The next UTC day begins after `retry-after` seconds.',
    OVERLOADED:
      'The server is overloaded and did not process the request; retry after `retry-after` seconds.',
    SUBMISSION_UNKNOWN:
      'It is unknown whether the submission was accepted; submit the same body again after `retry-after` seconds.',
    STORE_UNAVAILABLE:
      'The store cannot be read or written at the moment; retry after `retry-after` seconds.',
    COMPLIANCE_UNAVAILABLE:
      'Compliance could not be checked, so the submission was not accepted; retry after `retry-after` seconds.',
    VALIDATION_UNAVAILABLE:
      'The integrator’s validation failed, so the submission was not accepted; retry after `retry-after` seconds.',
    WALLET_NOT_WHITELISTED:
      'The chain operator has not whitelisted the service’s wallet; the submission was not accepted.',
    WALLET_UNKNOWN:
      'The chain does not know the service’s wallet yet, or no node responds; nothing was accepted.',
    SHADOW:
      'The submission passed all checks, but was not accepted: this server runs in shadow mode. `shadow` contains what it would have sent.'
  },
  504: { UPSTREAM_TIMEOUT: 'An upstream system did not respond in time.' }
} as const

export type ErrorStatus = keyof typeof meanings
export type ErrorCode = { [Status in ErrorStatus]: keyof (typeof meanings)[Status] }[ErrorStatus]

export const errorCatalogue = Object.fromEntries(
  Object.entries(meanings).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, meaning]) => [code, { statusCode: Number(status), meaning }])
  )
) as Record<ErrorCode, { statusCode: ErrorStatus; meaning: string }>

/** Seconds after which a client may retry, for codes with a fixed delay. */
export const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  BACKLOG_SHARE: 5,
  STREAM_SHARE: 5,
  LOCK_SHARE: 60,
  LOCK_PENDING: 5,
  UPSTREAM_BUSY: 1,
  STREAMS_BUSY: 5,
  INTAKE_CLOSED: 5,
  OVERLOADED: 1,
  SUBMISSION_UNKNOWN: 5,
  STORE_UNAVAILABLE: 5,
  COMPLIANCE_UNAVAILABLE: 5,
  VALIDATION_UNAVAILABLE: 5,
  WALLET_NOT_WHITELISTED: 30,
  WALLET_UNKNOWN: 5,
  SHADOW: 5
}
