import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ChainClient, createChainClient } from '../../services/chain-client/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainClient: ChainClient
  }
}

/** Initial timeout of an RPC call (interface 19.11). */
const RPC_TIMEOUT_MS = 5000

/** `app.chainClient`: the client for the chain's CometBFT RPC. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const chainClient = createChainClient({
      nodes: secrets.upstreams.nodes,
      timeoutMs: RPC_TIMEOUT_MS,
      log: app.log.child({ module: 'chain-client' }),
      observe: app.metrics.node
    })
    app.decorate('chainClient', chainClient)
    app.addHook('onClose', () => chainClient.close())
  },
  { name: 'chain-client', dependencies: ['metrics'] }
)
