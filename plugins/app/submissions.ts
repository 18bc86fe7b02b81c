import fp from 'fastify-plugin'
import { optionalAmount } from '../../services/amounts.ts'
import { encodeControlRequest } from '../../services/messages/control-request.ts'
import type { SubmissionService } from '../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../services/submission/engine.ts'
import { createIdentify } from '../../services/submission/identities.ts'
import { createShadow } from '../../services/submission/shadow.ts'

declare module 'fastify' {
  interface FastifyInstance {
    submissions: SubmissionService
  }
}

/** `app.submissions`: the submission engine. Starts before the server listens and stops when it closes. */
export default fp(
  async app => {
    const { config, signer: wallet, store, chainClient } = app
    const engine = createSubmissionEngine({
      store,
      chain: chainClient,
      wallet,
      controlRequest: encodeControlRequest(config.SERVICE_BRAND, wallet.address),
      identify: createIdentify(config.SERVICE_BRAND, wallet.address),
      settings: {
        feeDenom: config.feeDenom,
        gasPrice: config.gasPrice,
        lowBalance: optionalAmount(config.lowBalance),
        isIntakeClosed: config.SERVICE_INTAKE === 'closed',
        // A few days of blocks: longer than clients retry.
        lookBackBlocks: 50_000,
        dailyFeeLimit: optionalAmount(config.SERVICE_DAILY_FEE_LIMIT)
      },
      log: app.log.child({ module: 'submission' })
    })
    if (config.SERVICE_SHADOW) Object.assign(engine, createShadow(config.SERVICE_BRAND))
    app.decorate('submissions', engine)
    // Runs after `drain`, when load balancers have switched to other servers.
    app.addHook('preClose', () => engine.drain())
    // onClose hooks run in reverse order: the engine stops before its store and its chain client close.
    app.addHook('onClose', () => engine.stop())
    // Start only after all plugins are registered: if one fails, nothing must be left running.
    app.addHook('onReady', () => engine.start())
  },
  { name: 'submissions', dependencies: ['chain-client', 'drain', 'signer', 'store'] }
)
