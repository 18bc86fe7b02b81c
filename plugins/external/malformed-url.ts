import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { errorAnswer } from '../../services/errors/answer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a request with a URL that the router cannot read. No hook and no error handler sees it. */
    refuseUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void
  }
}

/** `app.refuseUrl`: a malformed URL is refused as any other request is, and counts (interface 3.12, 14.9). */
export default fp(
  async app => {
    app.decorate('refuseUrl', (error, request, reply) => {
      reply.headers(app.commonHeaders)
      const { code, statusCode, headers, body } = errorAnswer(app.admit(request, reply) ?? error, request.id)
      request.errorCode = code
      app.metrics.request(request.method, undefined, statusCode, 0)
      // No hook sees whether its body has come.
      reply.code(statusCode).headers(headers).header('connection', 'close').send(body)
    })
  },
  { name: 'malformed-url', dependencies: ['cors', 'helmet', 'metrics'] }
)
