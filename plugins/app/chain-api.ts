import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ChainApi, createChainApi } from '../../services/upstream/chain-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainApi: ChainApi
  }
}

/** `app.chainApi`: the client for the chain's REST API. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const chainApi = createChainApi({
      baseUrl: secrets.upstreams.chainApi,
      modulePath: app.config.SERVICE_CHAIN_API_PATH,
      observe: app.metrics.upstream
    })
    app.decorate('chainApi', chainApi)
    app.addHook('onClose', chainApi.close)
  },
  { name: 'chain-api', dependencies: ['metrics'] }
)
