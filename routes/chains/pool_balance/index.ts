import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotModified, PoolBalances } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
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
    async (_request, reply) => ({ poolBalance: aged(reply, await app.chains.poolBalances()) })
  )
}

export default routes
