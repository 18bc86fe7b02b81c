import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createFeeService, type FeeService } from '../../services/quotes/fee-service.ts'
import { createQuoteProofs } from '../../services/quotes/quote-proof.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    fees: FeeService
  }
}

/** `app.fees`: quotes of the fee service. */
export default fp<{ secrets: Secrets; wallet: Signer }>(
  async (app, { secrets, wallet }) => {
    const isRequired = app.config.SERVICE_QUOTE_CHECK === 'required'
    const fees = createFeeService({
      baseUrl: secrets.upstreams.fees,
      path: app.config.SERVICE_BACKEND_FEE_PATH,
      api: app.config.SERVICE_FEE_API,
      format: app.config.SERVICE_RESPONSE_FORMAT,
      creator: app.signer.address,
      environment: app.config.SERVICE_ENVIRONMENT,
      chains: app.chains,
      quotes: app.quotes,
      proofs: isRequired ? await createQuoteProofs(wallet) : undefined,
      log: app.log.child({ module: 'fees' }),
      observe: app.metrics.upstream
    })
    app.decorate('fees', fees)
    app.addHook('onClose', fees.close)
  },
  { name: 'fees', dependencies: ['config', 'metrics', 'signer', 'chains', 'quotes'] }
)
