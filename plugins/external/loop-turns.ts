import fp from 'fastify-plugin'
import { OverloadedError } from '../../services/errors/index.ts'
import { createLoopTurns } from '../../services/http/loop-turns.ts'

/**
 * Requests that were admitted begin by turns of the event loop, and are refused when they would wait for too long (interface 21.8). Probes, which
 * have no rate limit or one of their own, are never held up.
 */
export default fp(
  async app => {
    // One for all: thousands are sent when nothing may cost time.
    const refusal = new OverloadedError()
    const begin = createLoopTurns(isOverloaded => {
      if (isOverloaded) app.log.warn('overloaded, new requests are refused')
      else app.log.info('no longer overloaded')
    })

    app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
      const isProbe = routeOptions.config.rateLimit !== undefined
      if (isProbe) done()
      else if (!begin(done)) done(refusal)
    })
  },
  { name: 'loop-turns', dependencies: ['cors'] }
)
