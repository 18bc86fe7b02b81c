import rateLimit from '@fastify/rate-limit'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

const NO_HEADERS = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** The rate limit per client address (interface 14.9); a route opts out with `config: { rateLimit: false }`. */
export default fp(
  async app => {
    await app.register(rateLimit, {
      max: app.config.RATE_LIMIT_MAX,
      timeWindow: app.config.RATE_LIMIT_WINDOW,
      // Nobody needs them in every answer, and other answers are shared by caches.
      addHeadersOnExceeding: NO_HEADERS,
      errorResponseBuilder: (_request, { after }) =>
        new ServiceError('RATE_LIMITED', `Too many requests, try again in ${after}`)
    })
  },
  { name: 'rate-limit', dependencies: ['config', 'cors'] }
)
