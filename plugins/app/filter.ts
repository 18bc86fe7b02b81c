import fp from 'fastify-plugin'
import { type ChainFilter, createChainFilter } from '../../services/chains/filter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainFilter: ChainFilter
  }
}

/** `app.chainFilter`: the chains that the operator allows at each end of a transfer (interface 13.1). */
export default fp(
  async app => {
    app.decorate('chainFilter', createChainFilter(app.config.SERVICE_CHAIN_FILTER))
  },
  { name: 'filter', dependencies: ['config'] }
)
