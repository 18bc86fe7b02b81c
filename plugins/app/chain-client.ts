import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { brandNames } from '../../schemas/brand.ts'
import { type ChainClient, createChainClient } from '../../services/chain-client/index.ts'
import { type ChainApi, createChainApi } from '../../services/upstream/chain-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainApi: ChainApi
    chainClient: ChainClient
  }
}

/** Initial timeout of an RPC call. */
const RPC_TIMEOUT_MS = 5000

/** `app.chainClient` and `app.chainApi`: the clients for the chain's CometBFT RPC and for its REST API. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { upstreams } }) => {
    const chainClient = createChainClient({
      nodes: upstreams.nodes,
      timeoutMs: RPC_TIMEOUT_MS,
      log: app.log.child({ module: 'chain-client' }),
      observe: app.metrics.node
    })
    app.decorate('chainClient', chainClient)
    app.addHook('onClose', () => chainClient.close())

    const chainApi = createChainApi({
      baseUrl: upstreams.chainApi,
      modulePath: brandNames(app.config.SERVICE_BRAND).apiPath,
      observe: app.metrics.upstream
    })
    app.decorate('chainApi', chainApi)
    app.addHook('onClose', chainApi.close)
  },
  { name: 'chain-client', dependencies: ['metrics'] }
)
