import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotModified, PoolBalances } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { agedAnswers } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const answer = agedAnswers(poolBalance => ({ poolBalance }))
  app.get(
    '/',
    {
      schema: {
        operationId: 'getPoolBalances',
        summary: 'Balances of the pools',
        description: 'The balances of each pool, as the chain reports them.',
        tags: ['chains'],
        response: { 200: PoolBalances, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    (request, reply) => answer(request, reply, app.chains.poolBalances())
  )
}

export default routes
