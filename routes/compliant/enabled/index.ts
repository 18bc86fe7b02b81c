import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ComplianceEnabled } from '../../../schemas/compliance.ts'
import { errorResponses } from '../../../schemas/errors.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getComplianceEnabled',
        summary: 'Are submissions checked for compliance?',
        description: 'True where a compliance provider is configured; it then checks each submission.',
        tags: ['compliance'],
        response: { 200: ComplianceEnabled, ...errorResponses() }
      }
    },
    async () => ({ enabled: app.compliance.enabled })
  )
}

export default routes
