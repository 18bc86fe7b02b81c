import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ChainFilter, createChainFilter } from '../../services/chains/filter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    chainFilter: ChainFilter
  }
}

/** `app.chainFilter`: the chains that the operator allows at each end of a transfer (interface 13.1). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const hasBitcoin = secrets.upstreams.bitcoin !== undefined
    app.decorate('chainFilter', createChainFilter(app.config.SERVICE_CHAIN_FILTER, hasBitcoin))
  },
  { name: 'filter', dependencies: ['config'] }
)
