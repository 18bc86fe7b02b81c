import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createOriginMatcher } from '../../services/http/origins.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a request and looks at its origin. It sets the CORS headers for a listed origin, so that its browser can
     * read a refusal too.
     * @returns why the request is refused; undefined when it is not
     */
    admit(request: FastifyRequest, reply: FastifyReply): ServiceError | undefined
  }
}

/** What every answer to a listed origin has, besides the origin (interface 14.7). */
const readableByScripts = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'x-request-id, retry-after, age'
}

/**
 * Rate limit and origin control (interface 14.1 to 14.10): a request beyond the limit, or from a browser origin that DOMAIN
 * does not list, is refused before any handler runs, and so is its preflight. Refused origins count against the limit.
 */
export default fp(
  async app => {
    const { DOMAIN, NODE_ENV } = app.config
    const isListed = NODE_ENV === 'development' ? () => true : createOriginMatcher(DOMAIN)

    app.decorate('admit', (request, reply) => {
      const { origin } = request.headers
      const isAccepted = origin === undefined || isListed(origin)
      reply.header('vary', 'Origin')
      if (isAccepted && origin !== undefined) {
        reply.header('access-control-allow-origin', origin)
        reply.headers(readableByScripts)
      }
      const tooMany = app.countRequest(request)
      if (tooMany !== undefined || isAccepted) return tooMany
      return new ServiceError('ORIGIN_BLOCKED', 'Requests from this origin are not accepted')
    })

    app.addHook('onRequest', (request, reply, done) => done(app.admit(request, reply)))
  },
  { name: 'cors', dependencies: ['config', 'helmet', 'rate-limit'] }
)
