import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { KycBody, KycQuery, KycRecords } from '../../schemas/kyc.ts'

const documentation = {
  summary: 'KYC status of a verification session',
  description:
    'The KYC provider’s records of the session, without personal data. 501 if no provider is configured.',
  tags: ['compliance']
}

const querySchema = {
  ...documentation,
  operationId: 'readKycStatus',
  querystring: KycQuery,
  response: { 200: KycRecords, ...errorResponses(400, 501, 502, 504) }
}
const bodySchema = {
  ...documentation,
  operationId: 'getKycStatus',
  body: KycBody,
  response: { 200: KycRecords, ...errorResponses(400, 413, 415, 501, 502, 504) }
}

/** Clients use GET and POST (interface 11.10). */
const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { schema: querySchema }, request => app.kyc.records(request.query.uuid))
  app.post('/', { schema: bodySchema }, request => app.kyc.records(request.body.uuid))
}

export default routes
