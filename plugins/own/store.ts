import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import type { QuoteTable } from '../../services/quotes/shared-quote-book.ts'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Also a table for quotes, where replicas share the store. */
    store: SubmissionStore & { quotes?: QuoteTable }
  }
}

/** `app.store`: the durable store of the submission engine, in the database if there is one. */
export default fp<{ secrets: Secrets; wallet: Signer }>(
  async (app, { secrets: { database }, wallet }) => {
    const log = app.log.child({ module: 'store' })
    const store: FastifyInstance['store'] =
      database === undefined
        ? createSqliteStore(app.config.SERVICE_DATA_DIR)
        : await openPostgresStore({ address: database, owner: wallet.address, log })
    app.decorate('store', store)
    app.addHook('onClose', () => store.close())
  },
  { name: 'store', dependencies: ['config'] }
)
