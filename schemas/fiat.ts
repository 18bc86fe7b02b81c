import { Type } from '@sinclair/typebox'
import { component, uuid } from './leaves.ts'

export const TransactionIdQuery = Type.Object({
  transactionIdSeed: uuid({
    description:
      'UUID of version 4, new for each payment. The submit request must contain exactly the same string'
  })
})

export const TransactionIdResponse = component('TransactionId', 'Transaction id', {
  transactionId: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Id of the payment at the payment provider',
    examples: ['138fbe484000191b83f34f3702d3daea27776a968357c74b350ed6d4ccfca561']
  })
})
