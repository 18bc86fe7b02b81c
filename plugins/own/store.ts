import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: SubmissionStore
  }
}

/** `app.store`: the durable store of the submission engine, in the database if there is one. */
export default fp<{ secrets: Secrets; wallet: Signer }>(
  async (app, { secrets: { database }, wallet }) => {
    const log = app.log.child({ module: 'store' })
    const store =
      database === undefined
        ? createSqliteStore(app.config.SERVICE_DATA_DIR)
        : await openPostgresStore({ address: database, owner: wallet.address, log })
    app.decorate('store', store)
    app.addHook('onClose', () => store.close())
  },
  { name: 'store', dependencies: ['config'] }
)
