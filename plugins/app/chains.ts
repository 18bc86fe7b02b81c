import fp from 'fastify-plugin'
import { type ChainService, createChainService } from '../../services/chains/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chains: ChainService
  }
}

/** `app.chains`: the chains that the chain and the filter allow, and their tokens. */
export default fp(
  async app => {
    const { config, chainApi, chainFilter: filter } = app
    const chains = createChainService({
      environment: config.SERVICE_ENVIRONMENT,
      brand: config.SERVICE_BRAND,
      chainApi,
      filter,
      log: app.log.child({ module: 'chains' })
    })
    app.decorate('chains', chains)
  },
  { name: 'chains', dependencies: ['chain-client', 'filter'] }
)
