import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { systemClock } from '../../services/clock.ts'
import { ServiceError } from '../../services/errors/index.ts'
import type { EventSelection } from '../../services/submission/store/outbox.ts'
import type { Webhooks } from '../../services/webhooks/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Redelivers webhook events and returns their number. @throws ServiceError NOT_CONFIGURED without a receiver */
    redeliver(selection: EventSelection): Promise<number>
  }
}

/** How long to wait for the server to listen, in milliseconds. A server for injected requests never listens. */
const LISTEN_MS = 5000

export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { webhooks: receiver } }) => {
    const { store, status } = app
    const { outbox } = store
    let webhooks: Webhooks | undefined
    app.decorate('redeliver', async selection => {
      if (outbox === undefined) throw new ServiceError('NOT_CONFIGURED', 'No webhook receiver is configured')
      const count = await outbox.redeliver(selection)
      webhooks?.wake()
      return count
    })
    if (receiver === undefined || outbox === undefined) return
    const { startWebhooks } = await import('../../services/webhooks/index.ts')
    const log = app.log.child({ module: 'webhooks' })
    let stopWaiting = () => {}

    const start = () => {
      stopWaiting()
      webhooks ??= startWebhooks({ receiver, outbox, store, status, log })
    }

    // Wait until the server listens, because the receiver might be a route of this server.
    app.addHook('onListen', async () => start())
    app.addHook('onReady', async () => {
      stopWaiting = systemClock.after(LISTEN_MS, start)
    })
    app.addHook('onClose', async () => {
      stopWaiting()
      await webhooks?.stop()
    })
  },
  { name: 'webhooks', dependencies: ['store', 'status'] }
)
