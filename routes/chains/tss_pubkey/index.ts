import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotModified, TssPubkeys } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { aged } from '../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getTssPubkeys',
        summary: 'Public keys of the pools',
        description: 'The pool addresses by kind of key, as the chain reports them.',
        tags: ['chains'],
        response: { 200: TssPubkeys, 304: NotModified, ...errorResponses(502, 504) }
      }
    },
    async (_request, reply) => aged(reply, await app.chains.tssPubkey())
  )
}

export default routes
