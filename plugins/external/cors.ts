import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createOriginMatcher } from '../../services/http/origins.ts'

/** In every answer but the refusals. Without an origin too, because caches share the answer. */
const HEADERS = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'x-request-id, retry-after, age'
}

/** How long a browser may reuse the answer to a preflight, in seconds: the most that Chromium accepts. */
const PREFLIGHT_MAX_AGE_S = 7200

/**
 * Origin control (interface 14.1 to 14.7): a request from a browser origin that DOMAIN does not list is refused before
 * any handler runs, and so is its preflight. A listed origin gets the CORS headers.
 */
export default fp(
  async app => {
    const { DOMAIN, NODE_ENV } = app.config
    const isListed = createOriginMatcher(DOMAIN)

    app.addHook('onRequest', (request, reply, done) => {
      const { origin } = request.headers
      if (origin !== undefined && NODE_ENV !== 'development' && !isListed(origin)) {
        reply.header('vary', 'Origin')
        done(new ServiceError('ORIGIN_BLOCKED', 'Requests from this origin are not accepted'))
        return
      }
      reply.headers(HEADERS)
      if (origin !== undefined) reply.header('access-control-allow-origin', origin)
      if (request.method === 'OPTIONS') answerPreflight(request, reply)
      else done()
    })
  },
  { name: 'cors', dependencies: ['config', 'helmet'] }
)

/** What the routes take, whichever headers the browser asks for. */
function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = headers['access-control-request-headers']
  if (asked !== undefined) reply.header('access-control-allow-headers', asked)
  reply
    .code(204)
    .headers({
      vary: 'Origin, Access-Control-Request-Headers',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-max-age': PREFLIGHT_MAX_AGE_S,
      'content-length': '0'
    })
    .send()
}
