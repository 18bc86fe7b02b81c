/**
 * The stable error codes, each with its one HTTP status and its meaning for a client (interface 3.2). Tests compare
 * docs/errors.md and the OpenAPI document with this list.
 */
export const errorCatalogue = {
  VALIDATION: { statusCode: 400, meaning: 'A parameter is missing or malformed; `details` names it.' },
  INVALID_JSON: { statusCode: 400, meaning: 'The body is not JSON.' },
  BAD_REQUEST: { statusCode: 400, meaning: 'The request is malformed.' },
  OPTIONS_INVALID: { statusCode: 400, meaning: 'The `options` of the submission are not valid.' },
  CHAIN_UNSUPPORTED: {
    statusCode: 400,
    meaning:
      'The service does not know the chain, or the chain cannot be at that end of a transfer; `details` names the field.'
  },
  CHAIN_FILTERED: {
    statusCode: 400,
    meaning: 'The chain filter excludes a chain; `details` names the field.'
  },
  CHAIN_DISABLED: { statusCode: 400, meaning: 'A chain is currently disabled; `details` names the field.' },
  ADDRESS_INVALID: {
    statusCode: 400,
    meaning: 'An address is not valid on its chain; `details` names the field and the problem.'
  },
  TOKEN_UNSUPPORTED: {
    statusCode: 400,
    meaning: 'A chain does not have the token; `details` names the field.'
  },
  TRANSFER_LIMIT: {
    statusCode: 400,
    meaning: 'The amount is above the largest transfer that the chain allows; `details` names the field.'
  },
  QUOTE_REFUSED: {
    statusCode: 400,
    meaning: 'The fee service refused to quote the transfer; the message holds its reason.'
  },
  QUOTE_MISMATCH: {
    statusCode: 400,
    meaning:
      'The submission contradicts the quote that it names; `details` names each field and what was quoted.'
  },
  QUOTE_UNKNOWN: {
    statusCode: 400,
    meaning: 'The submission names no quote of this service; ask for a new one.'
  },
  QUOTE_EXPIRED: {
    statusCode: 400,
    meaning: 'The quote has expired, and the same transfer costs more now; ask for a new one.'
  },
  APPROVAL_INVALID: {
    statusCode: 400,
    meaning:
      'The signature is not the origin address’s approval of this submission; `details` has the text to sign.'
  },
  CUSTOM_VALIDATION: {
    statusCode: 400,
    meaning:
      'The integrator’s validation refused the transaction; the message holds its reason, `customCode` its own code.'
  },
  CHAIN_REJECTED: { statusCode: 400, meaning: 'The chain refused the transaction permanently.' },
  ORIGIN_BLOCKED: { statusCode: 403, meaning: 'The browser origin is not listed in `DOMAIN`.' },
  NOT_COMPLIANT: {
    statusCode: 403,
    meaning: 'An address does not meet the compliance requirements; `details` names the field.'
  },
  NOT_FOUND: { statusCode: 404, meaning: 'No such route, chain, transaction or submission.' },
  METHOD_NOT_ALLOWED: {
    statusCode: 405,
    meaning: 'The URL has other methods; the header `allow` names them.'
  },
  REQUEST_TIMEOUT: { statusCode: 408, meaning: 'The request did not arrive completely in time.' },
  QUOTE_ALREADY_USED: {
    statusCode: 409,
    meaning:
      'The feeId already belongs to another submission, which may have been executed; a new quote would pay once more.'
  },
  IDEMPOTENCY_KEY_REUSED: {
    statusCode: 409,
    meaning: 'The `Idempotency-Key` already belongs to a submission with other content.'
  },
  PAYMENT_ALREADY_USED: {
    statusCode: 409,
    meaning: 'The card or bank payment of the `transactionIdSeed` already belongs to another submission.'
  },
  BODY_TOO_LARGE: { statusCode: 413, meaning: 'The body exceeds the size limit.' },
  UNSUPPORTED_MEDIA_TYPE: {
    statusCode: 415,
    meaning: 'The body is not of type `application/json`, not in UTF-8, or compressed.'
  },
  RATE_LIMITED: { statusCode: 429, meaning: 'Too many requests; retry after `retry-after` seconds.' },
  BACKLOG_SHARE: {
    statusCode: 429,
    meaning:
      'Too many submissions of this client address wait for the chain; the submission was not accepted. Retry after `retry-after` seconds.'
  },
  STREAM_SHARE: {
    statusCode: 429,
    meaning:
      'Too many event streams of this client address are open; poll the status instead, or retry after `retry-after` seconds.'
  },
  HEADERS_TOO_LARGE: { statusCode: 431, meaning: 'The headers exceed the size limit.' },
  INTERNAL: { statusCode: 500, meaning: 'An internal error; the log holds it under the request id.' },
  SUBMISSION_DAMAGED: {
    statusCode: 500,
    meaning:
      'The stored submission is damaged, so nobody can say whether it was executed: do not pay again, an operator must look.'
  },
  NOT_CONFIGURED: { statusCode: 501, meaning: 'This server is not configured for the request.' },
  UPSTREAM_ERROR: { statusCode: 502, meaning: 'An upstream system failed or gave an invalid answer.' },
  UPSTREAM_BUSY: {
    statusCode: 503,
    meaning: 'Too many requests wait for an upstream system; retry after `retry-after` seconds.'
  },
  STREAMS_BUSY: {
    statusCode: 503,
    meaning: 'Too many event streams are open; poll the status instead, or retry after `retry-after` seconds.'
  },
  INTAKE_CLOSED: {
    statusCode: 503,
    meaning: 'The submission was not accepted; retry after `retry-after` seconds.'
  },
  DAILY_FEE_LIMIT: {
    statusCode: 503,
    meaning:
      'The service has paid as much in chain fees today as it may; the submission was not accepted. The next UTC day begins after `retry-after` seconds.'
  },
  OVERLOADED: {
    statusCode: 503,
    meaning: 'The server is overloaded and did not look at the request; retry after `retry-after` seconds.'
  },
  SUBMISSION_UNKNOWN: {
    statusCode: 503,
    meaning:
      'It is not known whether the submission was accepted; submit it again with the same feeId, after `retry-after` seconds.'
  },
  STORE_UNAVAILABLE: {
    statusCode: 503,
    meaning: 'Submissions cannot be read at the moment; retry after `retry-after` seconds.'
  },
  COMPLIANCE_UNAVAILABLE: {
    statusCode: 503,
    meaning:
      'Compliance could not be checked, so the submission was not accepted; retry after `retry-after` seconds.'
  },
  VALIDATION_UNAVAILABLE: {
    statusCode: 503,
    meaning:
      'The integrator’s validation failed, so the submission was not accepted; retry after `retry-after` seconds.'
  },
  WALLET_NOT_WHITELISTED: {
    statusCode: 503,
    meaning: 'The chain operator has not whitelisted the service’s wallet; the submission was not accepted.'
  },
  WALLET_UNKNOWN: {
    statusCode: 503,
    meaning:
      'The chain does not know the service’s wallet yet, or no node answers; the submission was not accepted.'
  },
  UPSTREAM_TIMEOUT: { statusCode: 504, meaning: 'An upstream system did not answer in time.' }
} as const

export type ErrorCode = keyof typeof errorCatalogue
export type ErrorStatus = (typeof errorCatalogue)[ErrorCode]['statusCode']
