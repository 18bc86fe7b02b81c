import fp from 'fastify-plugin'
import { type ChainFilter, createChainFilter } from '../../services/chains/filter.ts'
import { type ChainService, createChainService } from '../../services/chains/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainFilter: ChainFilter
    chains: ChainService
  }
}

/**
 * `app.chainFilter`: the operator's chain filter (interface 13.1). `app.chains`: the allowed chains and their tokens.
 */
export default fp(
  async app => {
    const { config, chainApi } = app
    const filter = createChainFilter(config.SERVICE_CHAIN_FILTER)
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
  { name: 'chains', dependencies: ['chain-clients'] }
)
