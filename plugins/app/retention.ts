import fp from 'fastify-plugin'
import { startRetention } from '../../services/submission/retention.ts'

/** Deletes old submissions while the server runs (interface 7.15). */
export default fp(
  async app => {
    const retention = startRetention({
      store: app.store,
      days: app.config.SERVICE_RETENTION_DAYS,
      log: app.log.child({ module: 'retention' })
    })
    app.addHook('onClose', () => retention?.stop())
  },
  { name: 'retention', dependencies: ['config', 'store'] }
)
