import { join } from 'node:path'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { systemClock } from '../../services/clock.ts'
import { createFeeService, type FeeService } from '../../services/quotes/fee-service.ts'
import { createQuoteBook, type QuoteBook } from '../../services/quotes/quote-book.ts'
import { createQuoteProofs } from '../../services/quotes/quote-proof.ts'
import { createSharedQuoteBook } from '../../services/quotes/shared-quote-book.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    quotes: QuoteBook | undefined
    fees: FeeService
  }
}

/** `app.fees` requests quotes. `app.quotes` keeps them for checks, across orderly restarts too (interface 5.24). */
export default fp<{ secrets: Secrets; wallet: Signer }>(
  async (app, { secrets, wallet }) => {
    const { config, store, chains, metrics } = app
    const check = config.SERVICE_QUOTE_CHECK

    function openQuotes(): QuoteBook {
      const log = app.log.child({ module: 'quotes' })
      const { quotes: table, now } = store
      if (table) return createSharedQuoteBook({ table, log, clock: { ...systemClock, now } })
      return createQuoteBook({ path: join(config.SERVICE_DATA_DIR, 'quotes.json'), log })
    }

    const quotes = check === 'off' ? undefined : openQuotes()
    app.decorate('quotes', quotes)
    // The store owns the folder or table with the quotes, so quotes must close first.
    app.addHook('onClose', async () => quotes?.close())

    const fees = createFeeService({
      ...secrets.upstreams.fees,
      format: config.SERVICE_RESPONSE_FORMAT,
      creator: wallet.address,
      environment: config.SERVICE_ENVIRONMENT,
      chains,
      quotes,
      proofs: check === 'required' ? await createQuoteProofs(wallet) : undefined,
      log: app.log.child({ module: 'fees' }),
      observe: metrics.upstream
    })
    app.decorate('fees', fees)
    app.addHook('onClose', fees.close)
  },
  { name: 'fees', dependencies: ['chains', 'metrics', 'store'] }
)
