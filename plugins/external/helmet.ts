import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Sets the headers of every response, including errors: security headers, the request id for the log (interface 14.8),
 * and `no-store` (interface 14.15), which routes with the same response for all clients override. Uses the middleware
 * of @fastify/helmet directly: the plugin creates it for each request, which takes as long as the rest of a read.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget reads responses from other origins. Origin control decides which ones may.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // TLS ends at a proxy, whose host may also serve plain HTTP.
      strictTransportSecurity: false,
      // In development the documentation is served over plain HTTP.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
      setHeaders(request.raw, reply.raw, () => done())
    })
  },
  { name: 'helmet' }
)
