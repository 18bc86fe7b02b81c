import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createFeeService, type FeeService } from '../../services/quotes/fee-service.ts'

declare module 'fastify' {
  interface FastifyInstance {
    fees: FeeService
  }
}

/** `app.fees`: quotes of the fee service. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const fees = createFeeService({
      baseUrl: secrets.upstreams.fees,
      path: app.config.SERVICE_BACKEND_FEE_PATH,
      api: app.config.SERVICE_FEE_API,
      format: app.config.SERVICE_ANSWER_FORMAT,
      creator: app.signer.address,
      chains: app.chains,
      quotes: app.quotes,
      log: app.log.child({ module: 'fees' }),
      observe: app.metrics.upstream
    })
    app.decorate('fees', fees)
    app.addHook('onClose', fees.close)
  },
  { name: 'fees', dependencies: ['config', 'metrics', 'signer', 'chains', 'quotes'] }
)
