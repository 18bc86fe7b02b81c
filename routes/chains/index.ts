import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainList } from '../../schemas/chains.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { answerAged } from './answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChains',
        summary: 'Supported chains and their tokens',
        description:
          'The chains and rails between which transfers go, with what the chain’s registry says of them now. A chain ' +
          'is left out when the chain filter leaves it neither end of a transfer.',
        tags: ['chains'],
        response: { 200: ChainList, ...errorResponses(502, 504) }
      }
    },
    async (_request, reply) => answerAged(reply, await app.chains.list())
  )
}

export default routes
