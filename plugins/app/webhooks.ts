import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { ServiceError } from '../../services/errors/index.ts'
import type { EventSelection } from '../../services/submission/store/outbox.ts'
import type { Webhooks } from '../../services/webhooks/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Redelivers webhook events and returns their number. @throws ServiceError NOT_CONFIGURED without a receiver */
    redeliver(selection: EventSelection): Promise<number>
  }
}

/**
 * Delivers events to the receiver of webhooks, if one is configured (interface section 23). `app.redeliver` makes events
 * due again.
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { webhooks: receiver } }) => {
    const { config, store, status } = app
    const { outbox } = store
    let webhooks: Webhooks | undefined
    app.decorate('redeliver', async selection => {
      if (outbox === undefined) throw new ServiceError('NOT_CONFIGURED', 'No webhook receiver is configured')
      const count = await outbox.redeliver(selection)
      webhooks?.wake()
      return count
    })
    if (receiver === undefined || outbox === undefined || config.SERVICE_SHADOW) return
    const { startWebhooks } = await import('../../services/webhooks/index.ts')
    const log = app.log.child({ module: 'webhooks' })
    app.addHook('onReady', async () => {
      webhooks = startWebhooks({ receiver, outbox, store, status, log })
    })
    app.addHook('onClose', () => webhooks?.stop())
  },
  { name: 'webhooks', dependencies: ['store', 'status'] }
)
