import { type Static, Type } from '@sinclair/typebox'
import { type ErrorStatus, errorCatalogue } from '../services/errors/catalogue.ts'

/** The body of every error (contract §3); one component of the OpenAPI document. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status, once more' }),
    code: Type.String({ description: 'Stable code, made for programs' }),
    error: Type.String({ description: 'Name of the HTTP status' }),
    message: Type.String({ description: 'What went wrong, made for people' }),
    requestId: Type.String({ description: 'Finds the request in the log' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer to the parameter at fault' }),
          message: Type.String()
        })
      )
    )
  },
  { $id: 'Error' }
)

/** A reference to it, with words of its own. */
const errorBody = (description: string) =>
  Type.Unsafe<Static<typeof ErrorBody>>({ $ref: 'Error#', description })

type ErrorBodySchema = ReturnType<typeof errorBody>

function describeStatus(status: ErrorStatus): string {
  return Object.entries(errorCatalogue)
    .filter(([, { statusCode }]) => statusCode === status)
    .map(([code, { meaning }]) => `\`${code}\`: ${meaning}`)
    .join('\n\n')
}

/** What any route can answer, whatever it does: origin control, rate limit, a fault of the service. */
const everywhere: readonly ErrorStatus[] = [403, 429, 500]

/**
 * The error part of a route's response map; 403, 429 and 500 are always in it.
 *
 * @example response: { 200: FeeQuote, ...errorResponses(400, 502, 504) }
 */
export function errorResponses(...statuses: ErrorStatus[]): Partial<Record<ErrorStatus, ErrorBodySchema>> {
  const responses: Partial<Record<ErrorStatus, ErrorBodySchema>> = {}
  for (const status of [...everywhere, ...statuses]) responses[status] = errorBody(describeStatus(status))
  return responses
}
