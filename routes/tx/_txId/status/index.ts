import { statusRoute } from '../../status-route.ts'

export default statusRoute('transfer', {
  operationId: 'getTransactionStatus',
  summary: 'Status of a regular transaction',
  description:
    'By the sequential transaction id that a submission was answered with. A poll a second is enough.'
})
