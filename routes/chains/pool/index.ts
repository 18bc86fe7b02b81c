import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotModified, PoolList } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getPools',
        summary: 'Pool addresses and balances',
        description:
          'The pool of each supported chain: the address that users approve or pay to, and its balances.',
        tags: ['chains'],
        response: { 200: PoolList, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    async (_request, reply) => aged(reply, await app.chains.pools())
  )
}

export default routes
