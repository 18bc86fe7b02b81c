import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChainRegistry, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
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
    async (_request, reply) => aged(reply, await app.chains.registry())
  )
}

export default routes
