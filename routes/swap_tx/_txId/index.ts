import { transactionRoutes } from '../../tx/transaction-routes.ts'

export default transactionRoutes('swap', { name: 'Swap', noun: 'stable-token swap' })
