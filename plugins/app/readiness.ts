import fp from 'fastify-plugin'
import type { Readiness } from '../../schemas/readiness.ts'
import { optionalAmount } from '../../services/amounts.ts'
import { createBalance } from '../../services/funds/balance.ts'
import { createReadiness } from '../../services/readiness/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: () => Promise<Readiness>
  }
}

/** `app.readiness()`: the checks of `/ready`, which the metrics report too. Also watches the wallet's balance. */
export default fp(
  async app => {
    const { config, signer, store, chainClient, chainApi, submissions, metrics, log } = app
    const { feeDenom: denom, SERVICE_DAILY_FEE_LIMIT } = config
    const balance = createBalance({
      chain: chainClient,
      address: signer.address,
      denom,
      isFree: Number(config.gasPrice) === 0,
      log: log.child({ module: 'balance' })
    })
    const readiness = createReadiness({
      store,
      chainClient,
      chainApi,
      submissions,
      isEmpty: () => balance.isEmpty,
      isStopping: () => app.stopping.aborted,
      isIntakeClosed: config.SERVICE_INTAKE === 'closed',
      isShadow: config.SERVICE_SHADOW,
      log
    })
    app.decorate('readiness', readiness)
    app.addHook('onReady', async () => balance.watch())
    app.addHook('onClose', async () => balance.stop())
    const funds = { denom, balance, dailyFeeLimit: optionalAmount(SERVICE_DAILY_FEE_LIMIT) }
    metrics.showState({ readiness, submissions, chainClient, store, funds })
  },
  { name: 'readiness', dependencies: ['chain-client', 'drain', 'metrics', 'signer', 'store', 'submissions'] }
)
