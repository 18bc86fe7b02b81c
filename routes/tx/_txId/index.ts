import { transactionRoutes } from '../transaction-routes.ts'

export default transactionRoutes('transfer', {
  name: 'Transaction',
  noun: 'transfer',
  description:
    'By the sequential transaction id, `txId` in the answer of the submit call. Polling once a second is enough.'
})
