import fp from 'fastify-plugin'
import { errorAnswer } from '../../services/errors/answer.ts'
import type { ErrorCode } from '../../services/errors/catalogue.ts'
import { ServiceError } from '../../services/errors/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code that the request was answered with, for the log. */
    errorCode?: ErrorCode
  }
}

/** Their cause is logged once as an error, when it begins. Every submission may get them while it lasts. */
const REFUSALS: readonly ErrorCode[] = ['DAILY_FEE_LIMIT', 'INTAKE_CLOSED', 'UPSTREAM_BUSY']

/**
 * Answers every error (interface 3.1). It is loaded before the plugins that add routes, such as the one for
 * preflights, because a route keeps the error handler that exists when the route is added.
 */
export default fp(
  async app => {
    app.decorateRequest('errorCode')
    app.setErrorHandler((error, request, reply) => {
      const { code, statusCode, headers, body } = errorAnswer(error, request.id)
      if (error instanceof ServiceError && REFUSALS.includes(code))
        request.log.warn({ code, reason: error.message }, 'request refused')
      // Overload is logged once, when it begins.
      else if (statusCode >= 500 && code !== 'OVERLOADED')
        request.log.error({ err: error, code }, 'request failed')
      request.errorCode = code
      return reply.code(statusCode).headers(headers).send(body)
    })
  },
  { name: 'error-handler' }
)
