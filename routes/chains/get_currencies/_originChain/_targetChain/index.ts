import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CurrencyNames, NotModified, PairParams } from '../../../../../schemas/chains.ts'
import { errorResponses } from '../../../../../schemas/errors.ts'
import { aged } from '../../../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getCurrencies',
        summary: 'Tokens that can be paid from one chain to another',
        description:
          'Symbols of the origin’s tokens that can be paid to the target. Empty for a pair that is not possible, or ' +
          'that the chain filter excludes; 404 for an unknown short name.',
        tags: ['chains'],
        params: PairParams,
        response: { 200: CurrencyNames, 304: NotModified, ...errorResponses(400, 404, 502, 504) }
      }
    },
    async (request, reply) => {
      const { originChain, targetChain } = request.params
      return { Currencies: aged(reply, await app.chains.currencies(originChain, targetChain)) }
    }
  )
}

export default routes
