import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createEvmRpcs } from '../../services/approvals/evm-rpc.ts'
import { createSignatureCheck } from '../../services/approvals/signatures/index.ts'
import { type AcceptSubmission, createAcceptance } from '../../services/requests/accept-submission.ts'
import { createAllowanceCheck } from '../../services/requests/allowance-check.ts'
import { createApprovalCheck } from '../../services/requests/approval-check.ts'
import { createLockCheck } from '../../services/requests/lock-check.ts'
import { createQuoteCheck } from '../../services/requests/quote-check.ts'

declare module 'fastify' {
  interface FastifyInstance {
    acceptSubmission: AcceptSubmission
  }
}

/** `app.acceptSubmission`: checks a submission and stores it. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const {
      config,
      signer: wallet,
      chainFilter: filter,
      chains,
      quotes,
      fees,
      compliance,
      submissions,
      metrics,
      bitcoin,
      stopping
    } = app
    const isRequired = config.SERVICE_QUOTE_CHECK === 'required'
    const checkQuote = createQuoteCheck({ quotes, isRequired, fees })
    const { SERVICE_ENVIRONMENT: environment, SERVICE_BRAND: brand } = config
    const mode = config.SERVICE_APPROVAL_CHECK
    const log = app.log.child({ module: 'approvals' })
    const rpcs = createEvmRpcs(secrets.upstreams.evmRpc, metrics.upstream)
    const signatures = createSignatureCheck(rpcs)
    app.addHook('onClose', async () => {
      await Promise.all([signatures.close(), rpcs.close()])
    })
    const checkApproval = createApprovalCheck({ mode, signatures, log })
    const checkAllowance = createAllowanceCheck({
      mode,
      rpcs,
      chains,
      submitTimeoutMs: config.SERVICE_SUBMIT_TIMEOUT,
      stopping,
      log
    })
    app.decorate(
      'acceptSubmission',
      createAcceptance({
        environment,
        minVersion: config.SERVICE_MIN_VERSION,
        wallet,
        filter,
        chains,
        checkQuote,
        checkApproval,
        checkAllowance,
        checkLock: bitcoin ? createLockCheck({ brand, wallet, bitcoin }) : async () => undefined,
        compliance,
        submissions
      })
    )
  },
  {
    name: 'accept-submission',
    dependencies: ['bitcoin', 'chains', 'drain', 'fees', 'metrics', 'providers', 'signer', 'submissions']
  }
)
