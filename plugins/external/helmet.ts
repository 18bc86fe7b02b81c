import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

/** Security headers. */
export default fp(
  async app => {
    await app.register(helmet, {
      // The widget that reads the answers lives on other origins by design; origin control decides which.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // TLS ends before this server; the documentation is read over plain HTTP in development.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
  },
  { name: 'helmet' }
)
