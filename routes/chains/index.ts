import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainList, NotModified } from '../../schemas/chains.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { aged } from './aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChains',
        summary: 'Supported chains and their tokens',
        description:
          'The supported chains and rails, with their tokens and state from the chain’s registry. A chain that the ' +
          'chain filter excludes both as origin and as target is left out.',
        tags: ['chains'],
        response: { 200: ChainList, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    async (_request, reply) => aged(reply, await app.chains.list())
  )
}

export default routes
