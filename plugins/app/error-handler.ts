import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ErrorCode } from '../../schemas/error-catalogue.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { shown } from '../../services/errors/shown.ts'
import { errorResponse } from '../../services/http/error-response.ts'
import { feeIdOf } from '../../services/requests/options.ts'

declare module 'fastify' {
  interface FastifyRequest {
    errorCode?: ErrorCode
    submissionId?: string
  }
}

/** Temporary errors that can affect every submission. Their cause is logged once, when the problem starts. */
const REFUSALS: readonly ErrorCode[] = ['DAILY_FEE_LIMIT', 'INTAKE_CLOSED', 'UPSTREAM_BUSY']

/** Errors that any request can cause any number of times. They get no log line besides the request's own. */
const PLAIN: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'KEY_INVALID',
  'SCOPE_MISSING',
  'ORIGIN_BLOCKED',
  'ROUTE_NOT_FOUND',
  'NOT_FOUND',
  'LOCK_PENDING',
  'OVERLOADED'
]

const MAX_LENGTH = 300

/** Handles every error (interface 3.1). Set before the routes are added: a later handler would not apply to them. */
export default fp(
  async app => {
    app.decorateRequest('errorCode')
    app.decorateRequest('submissionId')
    app.setErrorHandler((thrown, request, reply) => {
      // Fastify parses the body of a request for an unknown route too, although nothing uses it.
      const isUnused = request.is404 && !(thrown instanceof ServiceError)
      const error = isUnused ? unknownRoute(request) : thrown
      const { code, statusCode, headers, body } = errorResponse(error, request.id)
      const isRefusal = error instanceof ServiceError && REFUSALS.includes(code)
      if (isRefusal || (statusCode < 500 && !PLAIN.includes(code))) {
        const { submissionId } = request
        const [detail] = body.details ?? []
        const reason = shown(isRefusal ? error.message : body.message, MAX_LENGTH)
        const field = detail && shown(detail.path, MAX_LENGTH)
        const why = { code, field, reason, feeId: feeIdOf(request.body), submissionId }
        if (isRefusal) request.log.warn(why, 'request refused')
        else request.log.info(why, 'request refused')
      } else if (body.shadow) {
        // Omit the message and its options, which contain the user's signature.
        const { message: _, fields, ...shadow } = body.shadow
        const { options: __, ...rest } = fields
        request.log.info(
          { feeId: feeIdOf(request.body), ...shadow, fields: rest },
          'request would have been accepted'
        )
      }
      // Overload is logged only when it starts.
      else if (statusCode >= 500 && code !== 'OVERLOADED')
        request.log.error({ err: error, code }, 'request failed')
      request.errorCode = code
      return reply.code(statusCode).headers(headers).send(body)
    })
    app.setNotFoundHandler(request => {
      throw unknownRoute(request)
    })
  },
  { name: 'error-handler' }
)

/** A changed URL means that the router could not parse the client's. */
const unknownRoute = ({ url, originalUrl }: FastifyRequest) =>
  new ServiceError(url === originalUrl ? 'ROUTE_NOT_FOUND' : 'BAD_REQUEST')
