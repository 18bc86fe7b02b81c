import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createOriginMatcher } from '../../services/http/origins.ts'

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
      if (origin === undefined || NODE_ENV === 'development' || isListed(origin)) {
        done()
        return
      }
      reply.header('vary', 'Origin')
      done(new ServiceError('ORIGIN_BLOCKED', 'Requests from this origin are not accepted'))
    })

    await app.register(cors, {
      origin: true,
      credentials: true,
      methods: 'GET, HEAD, POST',
      // A text, because the package would join a list for each request.
      exposedHeaders: 'x-request-id, retry-after, age',
      maxAge: PREFLIGHT_MAX_AGE_S,
      strictPreflight: false
    })
  },
  { name: 'cors', dependencies: ['config', 'helmet'] }
)
