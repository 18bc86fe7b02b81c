import fp from 'fastify-plugin'
import { errorAnswer } from '../../services/errors/answer.ts'

/**
 * Answers every error (interface 3.1). It is loaded before the plugins that add routes, such as the one for
 * preflights, because a route keeps the error handler that exists when the route is added.
 */
export default fp(
  async app => {
    app.setErrorHandler((error, request, reply) => {
      const { code, statusCode, headers, body } = errorAnswer(error, request.id)
      if (statusCode >= 500) request.log.error({ err: error, code }, 'request failed')
      else request.log.info({ code }, 'request refused')
      return reply.code(statusCode).headers(headers).send(body)
    })
  },
  { name: 'error-handler' }
)
