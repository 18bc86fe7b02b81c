import fp from 'fastify-plugin'
import { errorAnswer } from '../services/error-answer.ts'
import { NotFoundError } from '../services/errors.ts'

/** The one place that answers errors (contract §3). */
export default fp(
  async app => {
    app.setErrorHandler((error, request, reply) => {
      const { code, statusCode, headers, body } = errorAnswer(error, request.id)
      if (statusCode >= 500) request.log.error({ err: error, code }, 'request failed')
      else request.log.info({ code }, 'request refused')
      return reply.code(statusCode).headers(headers).send(body)
    })

    app.setNotFoundHandler({ preHandler: app.rateLimit() }, async () => {
      throw new NotFoundError('There is no such route')
    })
  },
  { name: 'error-handler', dependencies: ['rate-limit'] }
)
