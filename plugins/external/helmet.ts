import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Sets security headers, the request id (interface 14.8) and `no-store` (interface 14.15) on every response, including
 * errors. Uses the middleware of @fastify/helmet directly: the plugin would create it for each request, which doubles
 * the time of a read.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget runs on other origins. `cors` and `admission` reject unlisted origins.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // A proxy terminates TLS, and its host might also serve plain HTTP.
      strictTransportSecurity: false,
      // In development, the documentation is served over plain HTTP.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
      setHeaders(request.raw, reply.raw, () => done())
    })
  },
  { name: 'helmet' }
)
