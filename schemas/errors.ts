import { STATUS_CODES } from 'node:http'
import { type Static, Type } from '@sinclair/typebox'
import { type ErrorCode, type ErrorStatus, errorCatalogue } from './error-catalogue.ts'
import { oneOf } from './leaves.ts'

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status' }),
    code: oneOf(errorCodes, {
      title: 'ErrorCode',
      description: 'Stable code, for programs; clients must expect new values'
    }),
    error: Type.String({ description: 'Name of the HTTP status' }),
    message: Type.String({ description: 'Description of the error, for people' }),
    requestId: Type.String({ description: 'Identifies the request in the log' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer to the invalid parameter' }),
          message: Type.String({ description: 'What is wrong with the parameter' })
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

const errorBody = (description: string) =>
  Type.Unsafe<Static<typeof ErrorBody>>({ $ref: 'Error#', description })

/** Returns the error codes with a status, except ROUTE_NOT_FOUND, which the document omits. */
const codesOf = (status: number) =>
  errorCodes.filter(code => errorCatalogue[code].statusCode === status && code !== 'ROUTE_NOT_FOUND')

export function errorExample(status: string): Static<typeof ErrorBody> {
  const [code = 'INTERNAL'] = codesOf(Number(status))
  const { statusCode, meaning } = errorCatalogue[code]
  const body = {
    statusCode,
    code,
    error: STATUS_CODES[statusCode] ?? '',
    message: meaning,
    requestId: 'req-1'
  }
  if (code !== 'VALIDATION') return body
  const details = [{ path: '/amount', message: 'is required' }]
  return { ...body, message: 'amount is required', details }
}

/**
 * Returns the error responses of a route. Always includes 401, 403, 429, 500 and, for overload, 503.
 * @example response: { 200: FeeQuote, ...errorResponses(400, 502, 504) }
 */
export const errorResponses = (...statuses: ErrorStatus[]) =>
  responsesFor(401, 403, 429, 500, 503, ...statuses)

/** For a route that responds even under overload. */
export const probeErrorResponses = () => responsesFor(403, 429, 500)

/** For a route that responds even under overload, and has no rate limit. */
export const unlimitedErrorResponses = () => responsesFor(403, 500)

function responsesFor(...statuses: ErrorStatus[]) {
  const responses: Partial<Record<ErrorStatus, ReturnType<typeof errorBody>>> = {}
  for (const status of statuses) {
    const meanings = codesOf(status).map(code => `\`${code}\`: ${errorCatalogue[code].meaning}`)
    responses[status] = errorBody(meanings.join('\n\n'))
  }
  return responses
}
