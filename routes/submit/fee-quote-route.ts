import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { FeeQuery, feeQuote } from '../../schemas/fee-quote.ts'
import { brandNames } from '../../services/brand.ts'

/** GET of a fee quote, which has two paths (spec §4). */
export function feeQuoteRoute(operationId: string): FastifyPluginAsyncTypebox {
  return async app => {
    const { feeProcessingField } = brandNames(app.config.SERVICE_BRAND)
    app.get(
      '/',
      {
        schema: {
          operationId,
          summary: 'Quote the fees of a transfer',
          description:
            'The answer of the fee service as it came, newer fields included. A transfer that the fee service refuses ' +
            'to quote is a 400 with its words; any other failure of the fee service is a 502.',
          tags: ['fees'],
          querystring: FeeQuery,
          response: { 200: feeQuote(feeProcessingField), ...errorResponses(400, 502, 504) }
        },
        // The schema above documents; a serializer made from it would change what it does not know.
        serializerCompiler: () => JSON.stringify
      },
      request => app.fees.quote(request.query)
    )
  }
}
