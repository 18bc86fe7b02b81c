import { statusRoute } from '../../../status-route.ts'

export default statusRoute('liquidity', {
  operationId: 'getLiquidityTransactionStatus',
  summary: 'Status of a liquidity-pool transaction',
  description: 'By the sequential id of the liquidity-pool transaction. Polling once a second is enough.'
})
