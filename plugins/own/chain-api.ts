import fp from 'fastify-plugin'
import { type ChainApi, createChainApi } from '../../services/upstream/chain-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainApi: ChainApi
  }
}

/** `app.chainApi`: the chain's REST API. */
export default fp(
  async app => {
    const chainApi = createChainApi({
      baseUrl: app.config.SERVICE_BACKEND_NODE_PROVIDER_QUERY,
      modulePath: app.config.SERVICE_CHAIN_API_PATH,
      observe: app.metrics.upstream
    })
    app.decorate('chainApi', chainApi)
    app.addHook('onClose', chainApi.close)
  },
  { name: 'chain-api', dependencies: ['config', 'metrics'] }
)
