import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createKycService, type KycService } from '../../services/providers/kyc.ts'

declare module 'fastify' {
  interface FastifyInstance {
    kyc: KycService
  }
}

/** `app.kyc`: the provider of KYC_URL. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const {
      kycApiKey: apiKey,
      upstreams: { kyc: url }
    } = secrets
    const kyc = createKycService(
      url === undefined || apiKey === undefined ? undefined : { url, apiKey },
      app.metrics.upstream
    )
    app.decorate('kyc', kyc)
    app.addHook('onClose', kyc.close)
  },
  { name: 'kyc', dependencies: ['metrics'] }
)
