import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createRateLimit } from '../../services/http/rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `apart` for a route with a limit of its own, `false` for one that does not count. */
    rateLimit?: 'apart' | false
  }
  interface FastifyInstance {
    /** Counts a request against the limit of its client (interface 14.9). Undefined while it is within the limit. */
    countRequest(request: FastifyRequest): ServiceError | undefined
  }
}

/**
 * `app.countRequest`: the rate limit per client address, for routes that do not exist too. A route has a limit of its own
 * with `config: { rateLimit: 'apart' }`, and opts out with `rateLimit: false` (interface 14.10).
 */
export default fp(
  async app => {
    const { RATE_LIMIT_MAX: max, RATE_LIMIT_WINDOW: windowMs } = app.config
    const count = createRateLimit({ max, windowMs })
    const countApart = createRateLimit({ max, windowMs })

    app.decorate('countRequest', ({ routeOptions, raw }) => {
      // The router refuses a URL before there is a route.
      const rateLimit = routeOptions.config?.rateLimit
      if (rateLimit === false) return undefined
      const waitMs = (rateLimit === 'apart' ? countApart : count)(app.clientAddress(raw))
      return waitMs === 0 ? undefined : refusal(Math.ceil(waitMs / 1000))
    })
  },
  { name: 'rate-limit', dependencies: ['config', 'client-address'] }
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
