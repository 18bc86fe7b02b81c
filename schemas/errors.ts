import { STATUS_CODES } from 'node:http'
import { type Static, Type } from '@sinclair/typebox'
import { type ErrorCode, type ErrorStatus, errorCatalogue } from '../services/errors/catalogue.ts'
import { fieldError, ServiceError } from '../services/errors/index.ts'
import { oneOf } from './leaves.ts'

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** The body of every error (interface 3.1, 3.3). A component of the OpenAPI document. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status' }),
    code: oneOf(errorCodes, {
      title: 'ErrorCode',
      description: 'Stable code, for programs; clients must expect new values'
    }),
    error: Type.String({ description: 'Name of the HTTP status' }),
    message: Type.String({ description: 'What went wrong, for people' }),
    requestId: Type.String({ description: 'Identifies the request in the log' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer to the invalid parameter' }),
          message: Type.String({ description: 'What is wrong with it' })
        }),
        { description: 'The invalid parameters, at most 20' }
      )
    ),
    customCode: Type.Optional(
      Type.String({ description: 'The integrator’s own code, if any, with `CUSTOM_VALIDATION`' })
    )
  },
  { $id: 'Error' }
)

/** Creates a reference to `ErrorBody` with its own description. */
const errorBody = (description: string) =>
  Type.Unsafe<Static<typeof ErrorBody>>({ $ref: 'Error#', description })

type ErrorBodySchema = ReturnType<typeof errorBody>

/** Returns the error codes with a status, except ROUTE_NOT_FOUND, which the document omits. */
const codesOf = (status: number) =>
  errorCodes.filter(code => errorCatalogue[code].statusCode === status && code !== 'ROUTE_NOT_FOUND')

const describeStatus = (status: ErrorStatus) =>
  codesOf(status)
    .map(code => `\`${code}\`: ${errorCatalogue[code].meaning}`)
    .join('\n\n')

/** Returns an example body with the first error code of a status. */
export function errorExample(status: string): Static<typeof ErrorBody> {
  const [code = 'INTERNAL'] = codesOf(Number(status))
  const error = code === 'VALIDATION' ? fieldError('amount', 'is required') : new ServiceError(code)
  const { statusCode, message, details } = error
  const name = STATUS_CODES[statusCode] ?? ''
  return {
    statusCode,
    code: error.code,
    error: name,
    message,
    requestId: 'req-1',
    ...(details && { details })
  }
}

/**
 * The error statuses of every route: origin control, rate limit, internal error. Excludes 408 and 431, because the
 * requests that cause them never reach a route.
 */
const everywhere: readonly ErrorStatus[] = [403, 429, 500]

/**
 * Returns the error responses of a route. Always includes 401, 403, 429, 500 and, for overload, 503.
 *
 * @example response: { 200: FeeQuote, ...errorResponses(400, 502, 504) }
 */
export function errorResponses(...statuses: ErrorStatus[]): Partial<Record<ErrorStatus, ErrorBodySchema>> {
  const responses = probeErrorResponses()
  for (const status of [401, 503, ...statuses] as const) responses[status] = errorBody(describeStatus(status))
  return responses
}

/** Like `errorResponses`, for a route that responds even under overload. */
export function probeErrorResponses(): ReturnType<typeof errorResponses> {
  const responses: ReturnType<typeof errorResponses> = {}
  for (const status of everywhere) responses[status] = errorBody(describeStatus(status))
  return responses
}

/** Like `probeErrorResponses`, for a route without a rate limit. */
export function unlimitedErrorResponses(): ReturnType<typeof errorResponses> {
  const { 429: _limited, ...responses } = probeErrorResponses()
  return responses
}
