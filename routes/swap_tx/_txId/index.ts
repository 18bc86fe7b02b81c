import { transactionRoutes } from '../../tx/transaction-routes.ts'

export default transactionRoutes('swap', {
  name: 'Swap',
  noun: 'stable-token swap',
  description:
    'By the sequential transaction id, `txId` in the answer of the submit call. Polling once a second is enough.'
})
