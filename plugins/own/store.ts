import fp from 'fastify-plugin'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: SubmissionStore
  }
}

/** `app.store`: the durable store of the submission engine. */
export default fp(
  async app => {
    const store = createSqliteStore(app.config.SERVICE_DATA_DIR)
    app.decorate('store', store)
    app.addHook('onClose', () => store.close())
  },
  { name: 'store', dependencies: ['config'] }
)
