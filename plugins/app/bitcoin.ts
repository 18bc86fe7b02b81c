import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ChainLocks, createChainLocks } from '../../services/bitcoin/chain-locks.ts'
import type { Esplora } from '../../services/bitcoin/esplora.ts'
import type { Locks } from '../../services/bitcoin/locks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    bitcoin: { esplora: Esplora; locks: Locks; chainLocks: ChainLocks } | undefined
  }
}

/** `app.bitcoin`: reads BTC_API_URL, and locks bitcoins (interface section 26). Undefined without an API. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const { config, chains, chainFilter: filter, compliance, store, metrics } = app
    const environment = config.SERVICE_ENVIRONMENT
    const url = secrets.upstreams.bitcoin
    if (url === undefined) {
      app.decorate('bitcoin', undefined)
      return
    }
    // Load the Bitcoin library only if it is used, because it takes a while.
    const { createEsplora } = await import('../../services/bitcoin/esplora.ts')
    const { createLocks } = await import('../../services/bitcoin/locks.ts')
    const esplora = createEsplora({ url, environment, observe: metrics.upstream })
    app.addHook('onClose', esplora.close)
    const locks = createLocks({
      environment,
      prefix: config.chainPrefix,
      confirmations: config.BTC_CONFIRMATIONS,
      esplora,
      chains,
      filter,
      compliance,
      store
    })
    app.decorate('bitcoin', { esplora, locks, chainLocks: createChainLocks(app.chainApi) })
  },
  { name: 'bitcoin', dependencies: ['chain-client', 'chains', 'metrics', 'providers', 'store'] }
)
