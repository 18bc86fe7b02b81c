import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

/** Security headers. */
export default fp(
  async app => {
    // The widget that reads the answers lives on other origins by design; origin control decides which.
    await app.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' } })
  },
  { name: 'helmet' }
)
