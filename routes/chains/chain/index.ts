import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainRegistry, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { agedAnswers } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const answer = agedAnswers()
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChainRegistry',
        summary: 'The chain’s own registry',
        description:
          'The chain’s answer, unchanged apart from the chain filter. Numbers are texts; `FIAT` stands for both rails.',
        tags: ['chains'],
        response: { 200: ChainRegistry, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    (request, reply) => answer(request, reply, app.chains.registry())
  )
}

export default routes
