import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { createOriginMatcher } from '../../services/http/origins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request comes from a page whose origin DOMAIN does not list. */
    isForeign: boolean
  }
}

/** How long browsers may cache a preflight response, in seconds. Chromium's maximum. */
const MAX_AGE_S = 7200

export default fp(
  async app => {
    const { DOMAIN, NODE_ENV, SERVICE_ENVIRONMENT } = app.config
    // On mainnet, unlisted origins are blocked in development too (interface 1.23).
    const isOpen = NODE_ENV === 'development' && SERVICE_ENVIRONMENT !== 'mainnet'
    const isListed = isOpen ? () => true : createOriginMatcher(DOMAIN)
    app.decorateRequest('isForeign', false)
    app.addHook('onRequest', (request, _reply, done) => {
      const { origin } = request.headers
      request.isForeign = origin !== undefined && !isListed(origin)
      done()
    })
    await app.register(cors, {
      origin: (origin, done) => done(null, origin === undefined || isListed(origin)),
      credentials: true,
      exposedHeaders: 'x-request-id, retry-after, age',
      methods: 'GET, HEAD, POST',
      maxAge: MAX_AGE_S,
      strictPreflight: false
    })
  },
  // Load after the error handler: the preflight route uses the error handler that is set when the route is added.
  { name: 'cors', dependencies: ['config', 'error-handler', 'helmet'] }
)
