import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

/** Security headers. */
export default fp(
  async app => {
    await app.register(helmet, {
      // The widget reads the answers from other origins; origin control decides from which.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // TLS ends at a proxy, and in development the documentation is served over plain HTTP.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
  },
  { name: 'helmet' }
)
