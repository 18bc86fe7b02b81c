import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { type ComplianceService, createComplianceService } from '../../services/providers/compliance.ts'

declare module 'fastify' {
  interface FastifyInstance {
    compliance: ComplianceService
  }
}

/** `app.compliance`: the provider of COMPLIANCE_URL; without one, submissions pass unchecked (interface 11.5). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const compliance = createComplianceService({
      url: secrets.upstreams.compliance,
      accept: app.config.SERVICE_COMPLIANCE_ACCEPT,
      observe: app.metrics.upstream
    })
    app.decorate('compliance', compliance)
    app.addHook('onClose', compliance.close)
  },
  { name: 'compliance', dependencies: ['config', 'metrics'] }
)
