import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

/** Refuses requests whose key, or lack of one, does not allow them (interface 24.3), before any handler runs. */
export default fp(
  async app => {
    const needsKeys = app.config.SERVICE_ACCESS === 'keys'
    app.addHook('onRequest', ({ caller, keyRefusal, routeOptions }, _reply, done) => {
      const { scopes, isForCallers } = routeOptions.config
      if (keyRefusal || scopes === undefined) return done(keyRefusal)
      if (caller === undefined) return done(needsKeys || isForCallers ? keyMissing() : undefined)
      const isAllowed = scopes.some(scope => caller.scopes.includes(scope))
      const needed = scopes.join(' or ')
      done(
        isAllowed
          ? undefined
          : new ServiceError('SCOPE_MISSING', `The key of ${caller.name} lacks the scope ${needed}`)
      )
    })
  },
  // They are counted before.
  { name: 'access', dependencies: ['callers', 'origin-control'] }
)

const keyMissing = () =>
  new ServiceError('KEY_INVALID', 'authorization must have an API key: `Bearer KEY`', {
    details: [{ path: '/authorization', message: 'must have an API key: `Bearer KEY`' }],
    headers: { 'www-authenticate': 'Bearer' }
  })
