import { setTimeout as delay } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server was told to stop. */
    readonly isStopping: boolean
  }
}

/**
 * How long a server still accepts connections when it was told to stop, in milliseconds, so that a load balancer notices
 * by `/ready` and sends requests to the other servers (interface 7.13).
 */
const NOTICE_MS = 5000

/** While the server is stopping, every answer closes its connection, so that the client opens its next one elsewhere. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { database } }) => {
    let isStopping = false
    app.decorate('isStopping', { getter: () => isStopping })
    app.addHook('preClose', async () => {
      isStopping = true
      const hasOthers = database !== undefined
      if (hasOthers && app.server.listening) await delay(NOTICE_MS)
    })
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (isStopping) reply.header('connection', 'close')
      done()
    })
  },
  { name: 'drain' }
)
