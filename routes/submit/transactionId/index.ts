import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../schemas/errors.ts'
import { TransactionIdQuery, TransactionIdResponse } from '../../../schemas/fiat.ts'
import { transactionId } from '../../../services/fiat/transaction-id.ts'

const schema = {
  operationId: 'getTransactionId',
  summary: 'Transaction id of a card or bank payment',
  description:
    'Derived from the seed with the service’s wallet. It links the payment provider’s record to the later ' +
    'submission with the same seed. A seed always has the same id; nothing is stored.',
  tags: ['submit'],
  querystring: TransactionIdQuery,
  response: { 200: TransactionIdResponse, ...errorResponses(400) }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { schema }, async request => ({
    transactionId: await transactionId(request.query.transactionIdSeed, app.signer)
  }))
}

export default routes
