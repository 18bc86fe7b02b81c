import { transactionRoutes } from '../../transaction-routes.ts'

export default transactionRoutes('liquidity', {
  name: 'LiquidityTransaction',
  noun: 'liquidity-pool transaction'
})
