import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Sets the headers of every response, including errors: security headers, the request id (interface 14.8), and
 * `no-store` (interface 14.15). Routes whose response is the same for all clients override `no-store`. Uses the
 * middleware of @fastify/helmet directly: the plugin would create the middleware for each request and double the time
 * of a read.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget runs on other origins. Origin control rejects those that are not allowed.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // A proxy terminates TLS, and the proxy's host might also serve plain HTTP.
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
