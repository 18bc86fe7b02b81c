import { join } from 'node:path'
import fp from 'fastify-plugin'
import { createQuoteBook, type QuoteBook } from '../../services/quotes/quote-book.ts'

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
    const quotes = createQuoteBook({
      path: join(folder, 'quotes.json'),
      log: app.log.child({ module: 'quotes' })
    })
    app.decorate('quotes', quotes)
    // The store makes the folder and holds its lock: it closes after this.
    app.addHook('onClose', quotes.save)
  },
  { name: 'quotes', dependencies: ['config', 'store'] }
)
