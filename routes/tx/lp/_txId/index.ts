import { transactionRoutes } from '../../transaction-routes.ts'

export default transactionRoutes('liquidity', {
  name: 'LiquidityTransaction',
  noun: 'liquidity-pool transaction',
  description: 'By the sequential id of the liquidity-pool transaction. Polling once a second is enough.'
})
