import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainNames, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { agedAnswers } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const answer = agedAnswers(Chains => ({ Chains }))
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChainNames',
        summary: 'Short names of the chains',
        description: 'The chains and rails that the chain supports, after the chain filter.',
        tags: ['chains'],
        response: { 200: ChainNames, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    (request, reply) => answer(request, reply, app.chains.names())
  )
}

export default routes
