import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotModified, PoolList } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { agedAnswers } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const answer = agedAnswers()
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
    (request, reply) => answer(request, reply, app.chains.pools())
  )
}

export default routes
