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
export default fp<{ secrets: Secrets }>(async (app, { secrets }) => {
  const { config, signer: wallet, chains, metrics, bitcoin } = app
  const { SERVICE_ENVIRONMENT: environment, SERVICE_BRAND: brand, SERVICE_APPROVAL_CHECK: mode } = config
  const log = app.log.child({ module: 'approvals' })
  const rpcs = createEvmRpcs(secrets.upstreams.evmRpc, metrics.upstream)
  const signatures = createSignatureCheck(rpcs)
  app.addHook('onClose', async () => {
    await Promise.all([signatures.close(), rpcs.close()])
  })
  const acceptSubmission = createAcceptance({
    environment,
    minVersion: config.SERVICE_MIN_VERSION,
    wallet,
    filter: app.chainFilter,
    chains,
    checkQuote: createQuoteCheck({
      quotes: app.quotes,
      isRequired: config.SERVICE_QUOTE_CHECK === 'required',
      fees: app.fees
    }),
    checkApproval: createApprovalCheck({ mode, signatures, log }),
    checkAllowance: createAllowanceCheck({
      mode,
      rpcs,
      chains,
      submitTimeoutMs: config.SERVICE_SUBMIT_TIMEOUT,
      stopping: app.stopping,
      log
    }),
    checkLock: bitcoin ? createLockCheck({ brand, wallet, bitcoin }) : async () => undefined,
    compliance: app.compliance,
    submissions: app.submissions
  })
  app.decorate('acceptSubmission', acceptSubmission)
})
