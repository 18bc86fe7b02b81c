import fp from 'fastify-plugin'
import { OverloadedError, type ServiceError } from '../../services/errors/index.ts'
import { watchOverload } from '../../services/http/overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Why a request is refused while the server is overloaded (interface 21.8); undefined while it is not. */
    overload(request: FastifyRequest): ServiceError | undefined
  }
}

/** `app.overload`. Probes, which have no rate limit or one of their own, are never refused. */
export default fp(
  async app => {
    // One for all: thousands are sent when nothing may cost time.
    const refusal = new OverloadedError()
    const { isOverloaded, stop } = watchOverload(isOverloaded => {
      if (isOverloaded) app.log.warn('overloaded, new requests are refused')
      else app.log.info('no longer overloaded')
    })
    app.decorate('overload', ({ routeOptions }) => {
      const isProbe = routeOptions.config?.rateLimit !== undefined
      return !isProbe && isOverloaded() ? refusal : undefined
    })
    app.addHook('onClose', async () => stop())
  },
  { name: 'overload' }
)
