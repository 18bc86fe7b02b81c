import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { systemClock } from '../../services/clock.ts'

/** How long a ready server may take to listen, in milliseconds. One that only injects requests never does. */
const LISTEN_MS = 5000

/** Delivers webhooks while the server runs, where SERVICE_WEBHOOK_URL is set (interface 23.1). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { webhook } }) => {
    const { store, status, metrics } = app
    const { outbox } = store
    if (webhook === undefined || outbox === undefined) return
    const { startWebhooks } = await import('../../services/webhooks/index.ts')
    const log = app.log.child({ module: 'webhooks' })
    metrics.showBacklog({ outbox, store })
    let stop: (() => Promise<void>) | undefined
    let stopWaiting = () => {}

    const start = () => {
      stopWaiting()
      stop ??= startWebhooks({ ...webhook, outbox, store, status, observe: metrics.delivery, log })
    }

    // The receiver may be a route of the same server, which refuses connections before.
    app.addHook('onListen', async () => start())
    app.addHook('onReady', async () => {
      stopWaiting = systemClock.after(LISTEN_MS, start)
    })
    app.addHook('onClose', async () => {
      stopWaiting()
      await stop?.()
    })
  },
  { name: 'webhooks', dependencies: ['store', 'status', 'metrics'] }
)
