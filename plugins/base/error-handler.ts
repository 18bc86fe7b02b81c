import fp from 'fastify-plugin'
import { errorAnswer } from '../../services/errors/answer.ts'

/**
 * The one place that answers errors (contract §3). Registered by app.ts before the plugins that have routes of
 * their own, such as the one for preflights: a route keeps the handler that it finds.
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
