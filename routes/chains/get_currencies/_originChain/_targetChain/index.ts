import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CurrencyNames, PairParams } from '../../../../../schemas/chains.ts'
import { errorResponses } from '../../../../../schemas/errors.ts'
import { answerAged } from '../../../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getCurrencies',
        summary: 'Tokens that can be paid from chain to chain',
        description:
          'Tokens of the origin that the target has a counterpart of. Empty for a pair that cannot be, or may not be by ' +
          'the chain filter; 404 for a name that no chain has.',
        tags: ['chains'],
        params: PairParams,
        response: { 200: CurrencyNames, ...errorResponses(400, 404, 502, 504) }
      }
    },
    async (request, reply) => {
      const { originChain, targetChain } = request.params
      return { Currencies: answerAged(reply, await app.chains.currencies(originChain, targetChain)) }
    }
  )
}

export default routes
