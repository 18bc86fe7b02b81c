import { statusRoute } from '../../../tx/status-route.ts'

export default statusRoute('swap', {
  operationId: 'getSwapStatus',
  summary: 'Status of a stable-token swap',
  description: 'By the sequential transaction id that the swap was answered with. A poll a second is enough.'
})
