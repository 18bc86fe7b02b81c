import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { ServiceError } from '../../services/errors/index.ts'

/**
 * Mean delay of the event loop within a second above which new requests are rejected, in milliseconds (interface 21.8).
 */
const MOST_DELAY_MS = 2000

/**
 * Rejects requests while the process is overloaded. Probes always get a response. Startup also keeps the event loop
 * busy.
 */
export default fp(
  async app => {
    const refused = onceAMinute(requests => app.log.warn({ requests }, 'overloaded, rejecting new requests'))
    await app.register(underPressure, {
      maxEventLoopDelay: MOST_DELAY_MS,
      async pressureHandler({ routeOptions }) {
        if (routeOptions.config.isProbe || !app.server.listening) return
        refused()
        throw new ServiceError('OVERLOADED')
      }
    })
  },
  // After `admission`, so that overload does not hide a forbidden request.
  { name: 'under-pressure', dependencies: ['admission'] }
)
