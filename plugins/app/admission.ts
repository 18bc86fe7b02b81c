import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

const ORIGIN_UNKNOWN = 'origin is not listed in DOMAIN; the operator of this service can add it'

/** Rejects unlisted origins (interface 14.1), and requests that lack a key or a scope (interface 24.3). */
export default fp(
  async app => {
    const needsKeys = app.config.SERVICE_ACCESS === 'keys'
    app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))

    function refusalOf({ isForeign, caller, keyRefusal, routeOptions }: FastifyRequest) {
      if (isForeign) return new ServiceError('ORIGIN_BLOCKED', ORIGIN_UNKNOWN)
      if (keyRefusal) return keyRefusal
      const { scopes, isForCallers } = routeOptions.config
      if (scopes === undefined) return undefined
      if (caller === undefined) {
        if (needsKeys || isForCallers) return keyMissing()
      } else if (!scopes.some(scope => caller.scopes.includes(scope))) {
        const message = `The key of ${caller.name} lacks the scope ${scopes.join(' or ')}`
        return new ServiceError('SCOPE_MISSING', message)
      }
      return undefined
    }
  },
  // Load after the rate limit, which also counts rejected requests.
  { name: 'admission', dependencies: ['callers', 'cors', 'rate-limit'] }
)

const keyMissing = () =>
  new ServiceError('KEY_INVALID', 'authorization must have an API key: `Bearer KEY`', {
    details: [{ path: '/authorization', message: 'must have an API key: `Bearer KEY`' }],
    headers: { 'www-authenticate': 'Bearer' }
  })
