import { statusRoute } from '../../../tx/status-route.ts'

export default statusRoute('swap', {
  operationId: 'getSwapStatus',
  summary: 'Status of a stable-token swap',
  description:
    'By the sequential transaction id, `txId` in the answer of the submit call. Polling once a second is enough.'
})
