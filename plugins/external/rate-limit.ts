import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createRateLimit } from '../../services/http/rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false` for a route that does not count. */
    rateLimit?: false
  }
}

/**
 * The rate limit per client address (interface 14.9), for routes that do not exist too; a route opts out with
 * `config: { rateLimit: false }`.
 */
export default fp(
  async app => {
    const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW: windowMs } = app.config
    const count = createRateLimit({ max, windowMs })

    app.addHook('onRequest', (request, _reply, done) => {
      const waitMs = request.routeOptions.config.rateLimit === false ? 0 : count(request.ip)
      if (waitMs === 0) done()
      else done(refusal(Math.ceil(waitMs / 1000)))
    })
  },
  { name: 'rate-limit', dependencies: ['config', 'cors'] }
)

function refusal(seconds: number): ServiceError {
  const message = `Too many requests, try again in ${inWords(seconds)}`
  return new ServiceError('RATE_LIMITED', message, { headers: { 'retry-after': String(seconds) } })
}

function inWords(seconds: number): string {
  if (seconds < 60) return counted(seconds, 'second')
  if (seconds < 3600) return counted(Math.ceil(seconds / 60), 'minute')
  return counted(Math.ceil(seconds / 3600), 'hour')
}

function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
