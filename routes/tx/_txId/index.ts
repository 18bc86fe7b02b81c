import { transactionRoutes } from '../transaction-routes.ts'

export default transactionRoutes('transfer', { name: 'Transaction', noun: 'transfer or swap' })
