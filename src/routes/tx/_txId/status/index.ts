import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../../schemas/errors.ts'
import { statusAnswer, TxIdParams, transactionRecord } from '../../../../schemas/transaction-record.ts'
import { brandNames } from '../../../../services/brand.ts'
import { NotFoundError } from '../../../../services/errors.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { SERVICE_STATUS_FORMAT: format, SERVICE_BRAND: brand } = app.config
  const record = transactionRecord(brandNames(brand).hashField)
  app.get(
    '/',
    {
      schema: {
        operationId: 'getTransactionStatus',
        summary: 'Status of a regular transaction',
        description: 'By the sequential transaction id that a submission was answered with.',
        tags: ['status'],
        params: TxIdParams,
        response: {
          200: statusAnswer('transaction_data', record, format),
          ...errorResponses(400, 404, 502, 504)
        }
      }
    },
    async request => {
      const { txId } = request.params
      const found = await app.status.find('transfer', txId)
      if (found === undefined) throw new NotFoundError(`The chain knows no transaction ${txId}`)
      return { data: { transaction_data: format === 'list' ? [found] : found } }
    }
  )
}

export default routes
