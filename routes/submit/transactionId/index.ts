import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../schemas/errors.ts'
import { TransactionIdAnswer, TransactionIdQuery } from '../../../schemas/fiat.ts'
import { transactionId } from '../../../services/rails/transaction-id.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getTransactionId',
        summary: 'The encoded transaction id of a FIAT payment',
        description:
          'Derived from the seed with the service’s wallet, so that the payment provider’s record and the later ' +
          'submission with the same seed belong together. Always the same for a seed; nothing is stored.',
        tags: ['submit'],
        querystring: TransactionIdQuery,
        response: { 200: TransactionIdAnswer, ...errorResponses(400) }
      }
    },
    async request => ({ transactionId: transactionId(request.query.transactionIdSeed, app.signer) })
  )
}

export default routes
