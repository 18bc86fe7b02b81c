import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createFeeService, type FeeService } from '../../services/quotes/fee-service.ts'
import { createQuoteBook, type QuoteBook } from '../../services/quotes/quote-book.ts'

declare module 'fastify' {
  interface FastifyInstance {
    quotes: QuoteBook | undefined
    fees: FeeService
  }
}

/** `app.fees` requests quotes. `app.quotes` stores them for the check of submissions (interface 5.24). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const { config, signer, store, chains, chainClient, metrics } = app
    const quotes =
      config.SERVICE_QUOTE_CHECK === 'off'
        ? undefined
        : createQuoteBook({
            store,
            chain: chainClient,
            environment: config.SERVICE_ENVIRONMENT,
            brand: config.SERVICE_BRAND,
            wallet: signer.address,
            log: app.log.child({ module: 'quotes' })
          })
    app.decorate('quotes', quotes)

    const fees = createFeeService({
      ...secrets.upstreams.fees,
      format: config.SERVICE_RESPONSE_FORMAT,
      creator: signer.address,
      environment: config.SERVICE_ENVIRONMENT,
      hasBitcoin: app.chainFilter.hasBitcoin,
      chains,
      quotes,
      log: app.log.child({ module: 'fees' }),
      observe: metrics.upstream
    })
    app.decorate('fees', fees)
    app.addHook('onClose', fees.close)
  },
  { name: 'fees', dependencies: ['chains', 'metrics', 'signer', 'store'] }
)
