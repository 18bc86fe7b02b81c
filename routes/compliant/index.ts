import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ComplianceAnswer, ComplianceQuery } from '../../schemas/compliance.ts'
import { errorResponses } from '../../schemas/errors.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getCompliance',
        summary: 'Are these addresses compliant?',
        description:
          'What the compliance provider says of them: not sanctioned, not blocked. Meant to be asked before the user ' +
          'approves anything; a submission is checked in any case. 501 where no provider is configured.',
        tags: ['compliance'],
        querystring: ComplianceQuery,
        response: { 200: ComplianceAnswer, ...errorResponses(400, 501, 502, 504) }
      }
    },
    request => app.compliance.check(request.query.address)
  )
}

export default routes
