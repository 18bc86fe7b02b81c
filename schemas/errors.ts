import { STATUS_CODES } from 'node:http'
import { type Static, Type } from '@sinclair/typebox'
import { type ErrorCode, type ErrorStatus, errorCatalogue } from './error-catalogue.ts'
import { address, component, digitString, list, oneOf, text, titled } from './leaves.ts'

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

const Detail = titled('ErrorDetail', {
  path: text('JSON pointer to the invalid parameter'),
  message: text('What is wrong with the parameter')
})

export type Allowance = Static<typeof Allowance>
const Allowance = component('Allowance', 'What to approve, with `APPROVAL_MISSING`', {
  token: address({ description: 'Contract of the origin token' }),
  spender: address({ description: 'The pool, or Permit2' }),
  needed: digitString({ description: 'Base units to approve' }),
  found: digitString({ description: 'Base units approved at the newest block' })
})

export type ShadowResult = Static<typeof ShadowResult>
const ShadowResult = component(
  'ShadowResult',
  'The response and the chain message that the service would have sent, with `SHADOW`',
  {
    statusCode: Type.Integer({ description: 'HTTP status, once the submission is in a block' }),
    typeUrl: text('Type of the message for the chain'),
    message: text('The message, in base64'),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'Its fields, bytes in hex' })
  }
)

/** Returns the section of docs/errors.md about a code (interface 3.2). */
export const docUrlOf = (code: ErrorCode) => `docs/errors.md#${code.toLowerCase()}`

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status' }),
    code: oneOf(errorCodes, {
      title: 'ErrorCode',
      description: 'Stable code, for programs; clients must expect new values'
    }),
    error: text('Name of the HTTP status'),
    message: text('Description of the error, for people'),
    requestId: text('Identifies the request in the log'),
    docUrl: text('Section about the code, relative to the repository', docUrlOf('VALIDATION')),
    details: Type.Optional(list('The invalid parameters, at most 20', Detail)),
    allowance: Type.Optional(Allowance),
    customCode: Type.Optional(text('The integrator’s own code, if any, with `CUSTOM_VALIDATION`')),
    shadow: Type.Optional(ShadowResult)
  },
  { $id: 'ErrorBody' }
)

const errorBody = (description: string) =>
  Type.Unsafe<Static<typeof ErrorBody>>({ $ref: 'ErrorBody#', description })

/** Returns the error codes with a status, except ROUTE_NOT_FOUND, which the document omits. */
const codesOf = (status: number) =>
  errorCodes.filter(code => errorCatalogue[code].statusCode === status && code !== 'ROUTE_NOT_FOUND')

export function errorExample(status: string): Static<typeof ErrorBody> {
  const [code = 'INTERNAL'] = codesOf(Number(status))
  const { statusCode, meaning } = errorCatalogue[code]
  const error = STATUS_CODES[statusCode] ?? ''
  const body = { statusCode, code, error, message: meaning, requestId: 'req-1', docUrl: docUrlOf(code) }
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

/** The error responses of a route that responds even under overload. */
export const probeErrorResponses = () => responsesFor(403, 429, 500)

/** The error responses of a route that responds even under overload, and has no rate limit. */
export const unlimitedErrorResponses = () => responsesFor(403, 500)

function responsesFor(...statuses: ErrorStatus[]) {
  const responses: Partial<Record<ErrorStatus, ReturnType<typeof errorBody>>> = {}
  for (const status of statuses) {
    const meanings = codesOf(status).map(code => `\`${code}\`: ${errorCatalogue[code].meaning}`)
    responses[status] = errorBody(meanings.join('\n\n'))
  }
  return responses
}
