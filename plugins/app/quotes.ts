import { join } from 'node:path'
import fp from 'fastify-plugin'
import { systemClock } from '../../services/clock.ts'
import { createQuoteBook, type QuoteBook } from '../../services/quotes/quote-book.ts'
import { createSharedQuoteBook } from '../../services/quotes/shared-quote-book.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined when SERVICE_QUOTE_CHECK is `off`: nothing is remembered that nobody compares. */
    quotes: QuoteBook | undefined
  }
}

/** `app.quotes`: the quotes that submissions are compared with. They outlive an orderly shutdown (interface 5.24). */
export default fp(
  async app => {
    const { SERVICE_DATA_DIR: folder, SERVICE_QUOTE_CHECK: check } = app.config
    if (check === 'off') {
      app.decorate('quotes', undefined)
      return
    }
    const log = app.log.child({ module: 'quotes' })
    const { quotes: table, now } = app.store
    const quotes =
      table === undefined
        ? createQuoteBook({ path: join(folder, 'quotes.json'), log })
        : createSharedQuoteBook({ table, log, clock: { ...systemClock, now } })
    app.decorate('quotes', quotes)
    // The store makes the folder and holds its lock, or has the table: it closes after this.
    app.addHook('onClose', quotes.close)
  },
  { name: 'quotes', dependencies: ['config', 'store'] }
)
