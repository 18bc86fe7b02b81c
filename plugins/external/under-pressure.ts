import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { ServiceError } from '../../services/errors/index.ts'

/** How late the event loop is in the mean of a second, in milliseconds, when new requests are refused (interface 21.8). */
const MOST_DELAY_MS = 2000

/** Refuses requests while the process has more to do than it can. Probes are always answered. A start also keeps the loop busy. */
export default fp(
  async app => {
    const refused = onceAMinute(requests =>
      app.log.warn({ requests }, 'overloaded, new requests are refused')
    )
    await app.register(underPressure, {
      maxEventLoopDelay: MOST_DELAY_MS,
      async pressureHandler({ routeOptions }) {
        if (routeOptions.config.isProbe || !app.server.listening) return
        refused()
        throw new ServiceError('OVERLOADED')
      }
    })
  },
  // Overload does not hide that a request may not be made.
  { name: 'under-pressure', dependencies: ['admission'] }
)
