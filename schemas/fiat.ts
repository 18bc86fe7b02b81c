import { Type } from '@sinclair/typebox'
import { uuid } from './leaves.ts'

export const TransactionIdQuery = Type.Object({
  transactionIdSeed: uuid({
    description:
      'UUID of version 4, made for this payment; the same text, letter for letter, goes into the submit request'
  })
})

/** The answer to a payment's seed (spec §4). */
export const TransactionIdAnswer = Type.Object(
  {
    transactionId: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Names the payment at the payment provider',
      examples: ['138fbe484000191b83f34f3702d3daea27776a968357c74b350ed6d4ccfca561']
    })
  },
  { description: 'Encoded transaction id' }
)
