import fp from 'fastify-plugin'
import { createChainFilter } from '../../services/chains/filter.ts'
import { type ChainService, createChainService } from '../../services/chains/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chains: ChainService
  }
}

/** `app.chains`: the supported chains and tokens that pass the operator's filter (interface 13.1). */
export default fp(
  async app => {
    const { config, chainApi, metrics } = app
    const chains = createChainService({
      environment: config.SERVICE_ENVIRONMENT,
      brand: config.SERVICE_BRAND,
      chainApi,
      filter: createChainFilter(config.SERVICE_CHAIN_FILTER),
      log: app.log.child({ module: 'chains' }),
      observeReads: metrics.cache
    })
    app.decorate('chains', chains)
  },
  { name: 'chains', dependencies: ['metrics', 'chain-api'] }
)
