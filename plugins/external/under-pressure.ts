import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { ServiceError } from '../../services/errors/index.ts'

/** Maximum mean event loop delay over a second, in milliseconds (interface 21.8). */
const MAX_DELAY_MS = 2000

/** Rejects requests, except probes, under overload. Startup does not count, although it blocks the event loop. */
export default fp(
  async app => {
    const refused = onceAMinute(requests => app.log.warn({ requests }, 'overloaded, rejecting new requests'))
    await app.register(underPressure, {
      maxEventLoopDelay: MAX_DELAY_MS,
      async pressureHandler({ routeOptions }) {
        if (routeOptions.config.isProbe || !app.server.listening) return
        refused()
        throw new ServiceError('OVERLOADED')
      }
    })
  },
  // Load after `admission`, so that forbidden requests are reported as such even under overload.
  { name: 'under-pressure', dependencies: ['admission'] }
)
