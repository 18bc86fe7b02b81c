import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Security headers of every answer, errors too. The middleware of @fastify/helmet itself: the plugin makes it anew for each
 * request, which takes as long as the rest of a read.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget reads the answers from other origins; origin control decides from which.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // TLS ends at a proxy, and in development the documentation is served over plain HTTP.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
    app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()))
  },
  { name: 'helmet' }
)
