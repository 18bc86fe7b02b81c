import { eventsRoute } from '../../../events-route.ts'

export default eventsRoute('liquidity', {
  operationId: 'getLiquidityTransactionEvents',
  summary: 'Status of a liquidity-pool transaction as it changes'
})
