import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { KycBody, KycRecords } from '../../schemas/kyc.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.post(
    '/',
    {
      schema: {
        operationId: 'getKycStatus',
        summary: 'KYC status of a verification session',
        description:
          'The KYC provider’s records of the session, without what they hold of the person. 501 where no provider is ' +
          'configured.',
        tags: ['compliance'],
        body: KycBody,
        response: { 200: KycRecords, ...errorResponses(400, 408, 413, 415, 501, 502, 504) }
      }
    },
    request => app.kyc.records(request.body.uuid)
  )
}

export default routes
