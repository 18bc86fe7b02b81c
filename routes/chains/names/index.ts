import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainNames, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
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
    async (_request, reply) => ({ Chains: aged(reply, await app.chains.names()) })
  )
}

export default routes
