import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { systemClock } from '../../services/clock.ts'
import type { SubmissionStore } from '../../services/submission/contract.ts'
import { startRetention } from '../../services/submission/retention.ts'
import type { Outbox } from '../../services/submission/store/outbox.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Includes a webhook outbox if there is a receiver. */
    store: SubmissionStore & { outbox?: Outbox }
  }
}

/** How long a shutdown waits for the database, in milliseconds: until after the last results (interface 7.13). */
const STOP_MS = 18_000

/** Time to close the store, in milliseconds. */
const CLOSE_MS = 1000

/** `app.store`: the engine's store, in the database if configured. Deletes old submissions (interface 7.15) and quotes. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { database, webhooks: receiver } }) => {
    const log = app.log.child({ module: 'store' })
    const end = new AbortController()
    const endIn = (ms: number) => setTimeout(() => end.abort(), ms).unref()
    const store: FastifyInstance['store'] = app.metrics.store(await openStore())
    app.decorate('store', store)
    app.stopping.addEventListener('abort', () => endIn(STOP_MS))
    app.addHook('onClose', () => {
      endIn(CLOSE_MS)
      return store.close()
    })
    const days = app.config.SERVICE_RETENTION_DAYS
    const retention = startRetention({ store, days, log: app.log.child({ module: 'retention' }) })
    app.addHook('onClose', retention.stop)

    function onDamage(err: Error): void {
      log.error({ err }, 'damaged webhook event abandoned: it will not be delivered')
    }

    async function openStore() {
      const webhooks = receiver && { onDamage }
      if (database === undefined) {
        const { createSqliteStore } = await import('../../services/submission/store/sqlite/index.ts')
        const warn = (reason: string) => log.warn({}, reason)
        return createSqliteStore(app.config.SERVICE_DATA_DIR, systemClock.now, webhooks, warn)
      }
      const { openPostgresStore } = await import('../../services/submission/store/postgres/index.ts')
      const { signer } = app
      return openPostgresStore({ address: database, owner: signer.address, log, webhooks, ended: end.signal })
    }
  },
  // A broken key file prevents startup before anything is opened.
  { name: 'store', dependencies: ['callers', 'drain', 'metrics', 'signer'] }
)
