import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createSignatureCheck } from '../../services/approvals/signatures/index.ts'
import { createRegistry } from '../../services/messages/index.ts'
import { type AcceptSubmission, createAcceptance } from '../../services/requests/accept-submission.ts'
import { createApprovalCheck } from '../../services/requests/approval-check.ts'
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
      metrics
    } = app
    const isRequired = config.SERVICE_QUOTE_CHECK === 'required'
    const checkQuote = createQuoteCheck({ quotes, isRequired, fees })
    const environment = config.SERVICE_ENVIRONMENT
    const signatures = createSignatureCheck({
      evmRpc: secrets.upstreams.evmRpc,
      observe: metrics.upstream
    })
    app.addHook('onClose', signatures.close)
    const checkApproval = createApprovalCheck({
      mode: config.SERVICE_APPROVAL_CHECK,
      signatures,
      log: app.log.child({ module: 'approvals' })
    })
    app.decorate(
      'acceptSubmission',
      createAcceptance({
        environment,
        minVersion: config.SERVICE_MIN_VERSION,
        wallet,
        registry: createRegistry(config.SERVICE_BRAND),
        filter,
        chains,
        checkQuote,
        checkApproval,
        compliance,
        submissions
      })
    )
  },
  {
    name: 'accept-submission',
    dependencies: ['chains', 'fees', 'filter', 'metrics', 'providers', 'signer', 'submissions']
  }
)
