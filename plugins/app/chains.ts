import fp from 'fastify-plugin'
import { type ChainService, createChainService } from '../../services/chains/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chains: ChainService
  }
}

/** `app.chains`: the supported chains and their tokens, after the chain filter. */
export default fp(
  async app => {
    const { SERVICE_ENVIRONMENT: environment, SERVICE_BRAND: brand } = app.config
    const log = app.log.child({ module: 'chains' })
    const {
      chainApi,
      chainFilter: filter,
      metrics: { cache: observeReads }
    } = app
    app.decorate('chains', createChainService({ environment, brand, chainApi, filter, log, observeReads }))
  },
  { name: 'chains', dependencies: ['config', 'metrics', 'chain-api', 'chain-filter'] }
)
