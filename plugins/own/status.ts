import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createStatusService, type StatusService } from '../../services/status/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    status: StatusService
  }
}

/** `app.status`: transaction records from the GraphQL index, where one is configured, and from the chain (interface 9.8, 9.9). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const status = createStatusService({
      brand: app.config.SERVICE_BRAND,
      chainApi: app.chainApi,
      indexUrl: secrets.upstreams.index,
      log: app.log.child({ module: 'status' }),
      observe: app.metrics.upstream,
      observeReads: app.metrics.cache
    })
    app.decorate('status', status)
    app.addHook('onClose', status.close)
  },
  { name: 'status', dependencies: ['config', 'metrics', 'chain-api'] }
)
