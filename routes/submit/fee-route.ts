import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { brandNames } from '../../schemas/brand.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { FeeQuery, feeQuote } from '../../schemas/fee-quote.ts'
import { quoteJson } from '../../services/quotes/format.ts'

/** Creates the route of fee quotes, which has two paths (interface 5.1). @param alias.hide omits it from the document */
export const feeRoute =
  ({ hide = false } = {}): FastifyPluginAsyncTypebox =>
  async app => {
    const { SERVICE_BRAND, SERVICE_RESPONSE_FORMAT } = app.config
    const { feeProcessingField } = brandNames(SERVICE_BRAND)
    app.get(
      '/',
      {
        schema: {
          operationId: 'getFees',
          hide,
          summary: 'Quote the fees of a transfer',
          description:
            'The fee service’s response. It may have other fields too. If the fee service refuses to quote the transfer, the response is a 400 with its message; if it fails ' +
            'otherwise, a 502. `GET /submit/fee` is the same.',
          tags: ['fees'],
          querystring: FeeQuery,
          response: {
            200: feeQuote(feeProcessingField, SERVICE_RESPONSE_FORMAT),
            ...errorResponses(400, 502, 504)
          }
        },
        // The schema is for documentation only: a serializer generated from it would change unlisted fields.
        serializerCompiler: () => quoteJson
      },
      ({ query, client, caller }) => app.fees.quote(query, { client, caller: caller?.name })
    )
  }
