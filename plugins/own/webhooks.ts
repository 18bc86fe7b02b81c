import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'

/** Delivers webhooks while the server runs, where SERVICE_WEBHOOK_URL is set (interface 23.1). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { webhook } }) => {
    const { store, status, metrics } = app
    const { outbox } = store
    if (webhook === undefined || outbox === undefined) return
    const { startWebhooks } = await import('../../services/webhooks/index.ts')
    const log = app.log.child({ module: 'webhooks' })
    metrics.showBacklog({ outbox, store })
    let stop = async () => {}
    app.addHook('onReady', async () => {
      stop = startWebhooks({ ...webhook, outbox, store, status, observe: metrics.delivery, log })
    })
    app.addHook('onClose', () => stop())
  },
  { name: 'webhooks', dependencies: ['store', 'status', 'metrics'] }
)
