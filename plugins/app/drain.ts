import { setTimeout as delay } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly stopping: AbortSignal
  }
}

/** Time for load balancers to detect via `/ready` that the server is stopping, in milliseconds (interface 7.13). */
const NOTICE_MS = 5000

/** `app.stopping`: the shutdown signal. Once aborted, each response closes its connection (interface 7.13). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { database } }) => {
    const stop = new AbortController()
    app.decorate('stopping', stop.signal)
    app.addHook('preClose', async () => {
      stop.abort()
      const hasOthers = database !== undefined
      if (hasOthers && app.server.listening) await delay(NOTICE_MS)
    })
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (stop.signal.aborted) reply.header('connection', 'close')
      done(null, payload)
    })
  },
  { name: 'drain' }
)
