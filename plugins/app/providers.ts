import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ComplianceService, createComplianceService } from '../../services/providers/compliance.ts'
import { createKycService, type KycService } from '../../services/providers/kyc.ts'

declare module 'fastify' {
  interface FastifyInstance {
    compliance: ComplianceService
    kyc: KycService
  }
}

/**
 * `app.compliance`: the provider at COMPLIANCE_URL; without one, submissions are not checked (interface 11.5).
 * `app.kyc`: the provider at KYC_URL.
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { kycApiKey: apiKey, upstreams } }) => {
    const compliance = createComplianceService({
      url: upstreams.compliance,
      observe: app.metrics.upstream
    })
    app.decorate('compliance', compliance)
    app.addHook('onClose', compliance.close)

    const provider = upstreams.kyc && apiKey ? { url: upstreams.kyc, apiKey } : undefined
    const kyc = createKycService(provider, app.metrics.upstream)
    app.decorate('kyc', kyc)
    app.addHook('onClose', kyc.close)
  },
  { name: 'providers', dependencies: ['metrics'] }
)
