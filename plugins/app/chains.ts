import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ChainFilter, createChainFilter } from '../../services/chains/filter.ts'
import { type ChainService, createChainService } from '../../services/chains/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainFilter: ChainFilter
    chains: ChainService
  }
}

/**
 * `app.chainFilter`: the chains that the operator allows at each end of a transfer (interface 13.1). `app.chains`: those
 * that the chain allows too, and their tokens.
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const { config, chainApi } = app
    const filter = createChainFilter(config.SERVICE_CHAIN_FILTER, secrets.upstreams.bitcoin !== undefined)
    app.decorate('chainFilter', filter)
    const chains = createChainService({
      environment: config.SERVICE_ENVIRONMENT,
      brand: config.SERVICE_BRAND,
      chainApi,
      filter,
      log: app.log.child({ module: 'chains' })
    })
    app.decorate('chains', chains)
  },
  { name: 'chains', dependencies: ['chain-client'] }
)
