import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { brandNames } from '../../schemas/brand.ts'
import { within } from '../../services/async/within.ts'
import { BTC } from '../../services/chains/families.ts'
import { createStatusBody, type StatusBody } from '../../services/status/body.ts'
import { createStatusService, type StatusService } from '../../services/status/index.ts'
import type { StatusRecord } from '../../services/status/record.ts'
import { createChainApi } from '../../services/upstream/chain-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    status: StatusService
    statusBody: StatusBody
    /** Returns the chain's record of the lock of bitcoins that a transaction uses; undefined unless it can be read soon. */
    lockOf(record: StatusRecord): Promise<object | undefined>
  }
}

/** How long a status waits for the lock, in milliseconds. The chain lists locks in up to ten pages. */
const LOCK_MS = 3000

/**
 * `app.status`: transaction records from the GraphQL index, if configured, and from the chain (interface 9.9).
 * `app.statusBody`: their response bodies, with the locks that `app.lockOf` returns.
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    // Use a separate client, so that status polls cannot block other calls to the chain API.
    const chainApi = createChainApi({
      baseUrl: secrets.upstreams.chainApi,
      modulePath: brandNames(app.config.SERVICE_BRAND).apiPath,
      observe: app.metrics.upstream
    })
    app.addHook('onClose', chainApi.close)
    const { store, bitcoin } = app
    const { SERVICE_RESPONSE_FORMAT, SERVICE_BRAND } = app.config
    const storedKind = async (txId: string) => {
      const id = Number(txId)
      return Number.isSafeInteger(id) ? store.kindOf(id) : undefined
    }
    const status = createStatusService({
      brand: SERVICE_BRAND,
      chainApi,
      indexUrl: secrets.upstreams.index,
      // A widget asks the other route after a 404 (interface 9.16).
      storedKind: SERVICE_RESPONSE_FORMAT === 'documented' ? storedKind : undefined,
      log: app.log.child({ module: 'status' }),
      observe: app.metrics.upstream
    })
    app.decorate('status', status)
    app.addHook('onClose', status.close)
    app.decorate('statusBody', createStatusBody(brandNames(SERVICE_BRAND), SERVICE_RESPONSE_FORMAT))
    app.decorate('lockOf', async ({ originchain, tx_id }: StatusRecord) => {
      if (originchain !== BTC || bitcoin === undefined) return undefined
      const lock = store
        .lockOf(Number(tx_id))
        .then(used => used && bitcoin.chainLocks.shown(used.txHash, used.senderAddress))
        .catch(() => undefined)
      return within(LOCK_MS, lock, () => undefined)
    })
  },
  { name: 'status', dependencies: ['bitcoin', 'metrics', 'store'] }
)
