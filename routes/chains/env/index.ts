import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { chainEnvironment, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { brandNames } from '../../../services/brand.ts'
import { version } from '../../../services/version.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { SERVICE_ENVIRONMENT, SERVICE_BRAND, SERVICE_EXPLORER, PAYMENT_PARTNER_ID } = app.config
  const { explorerField } = brandNames(SERVICE_BRAND)
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChainEnvironment',
        summary: 'Environment of the service',
        description:
          'Settings for a widget. The transfer limit comes from the chain; the `age` header is sent with it only.',
        tags: ['chains'],
        response: { 200: chainEnvironment(explorerField), 304: NotModified, ...errorResponses() }
      }
    },
    async (_request, reply) => {
      const limit = await app.chains.transferLimit()
      return {
        env: SERVICE_ENVIRONMENT,
        [explorerField]: SERVICE_EXPLORER ?? null,
        transferLimitMaxUSDT: limit === undefined ? null : aged(reply, limit),
        paymentPartnerId: PAYMENT_PARTNER_ID ?? null,
        backendVersion: version
      }
    }
  )
}

export default routes
