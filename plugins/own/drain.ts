import { setTimeout as delay } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server is told to stop. */
    readonly stopping: AbortSignal
  }
}

/**
 * How long a server still accepts connections when it was told to stop, in milliseconds, so that a load balancer notices
 * by `/ready` and sends requests to the other servers (interface 7.13).
 */
const NOTICE_MS = 5000

/** When every connection is closed, whatever its client does, in milliseconds since the server was told to stop (interface 21.10). */
const LAST_MS = 20_000

/** `app.stopping`, and the bounds of a stop. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { database } }) => {
    const stop = new AbortController()
    let last: NodeJS.Timeout | undefined
    app.decorate('stopping', stop.signal)
    app.addHook('preClose', async () => {
      stop.abort()
      last = setTimeout(() => app.server.closeAllConnections(), LAST_MS)
      const hasOthers = database !== undefined
      if (hasOthers && app.server.listening) await delay(NOTICE_MS)
    })
    app.addHook('onClose', async () => clearTimeout(last))
  },
  { name: 'drain' }
)
