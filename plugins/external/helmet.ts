import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Headers of every response, errors too: those of security, the id under which the log has the request (interface 14.8), and that
 * nobody may store it (interface 14.15); a route whose responses are the same for all sends another `cache-control`. The middleware of @fastify/helmet itself: the plugin makes it anew for each
 * request, which takes as long as the rest of a read.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget reads the answers from other origins; origin control decides from which.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // TLS ends at a proxy, whose host may have other services without it.
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
