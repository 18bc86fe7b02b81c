import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainNames } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { answerAged } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChainNames',
        summary: 'Short names of the chains',
        description: 'The chains and rails that the chain supports, after the chain filter.',
        tags: ['chains'],
        response: { 200: ChainNames, ...errorResponses(502, 504) }
      }
    },
    async (_request, reply) => ({ Chains: answerAged(reply, await app.chains.names()) })
  )
}

export default routes
