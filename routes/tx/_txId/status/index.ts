import { statusRoute } from '../../status-route.ts'

export default statusRoute('transfer', {
  operationId: 'getTransactionStatus',
  summary: 'Status of a transfer',
  description:
    'By the sequential transaction id, `txId` in the answer of the submit call. Polling once a second is enough.'
})
