import { Type } from '@sinclair/typebox'
import { address } from './leaves.ts'

/** Beyond it the provider's URL would grow past what servers take. */
const MAX_ADDRESSES = 20

export const ComplianceQuery = Type.Object({
  address: Type.Array(address(), {
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    description: `Repeated for each address, at most ${MAX_ADDRESSES} times`
  })
})

export const ComplianceAnswer = Type.Object({
  isCompliant: Type.Boolean({ description: 'True when all addresses are compliant' }),
  isError: Type.Boolean({ description: 'True when the provider could not tell; nothing is compliant then' }),
  results: Type.Array(
    Type.Object({
      isCompliant: Type.Boolean(),
      result: Type.String({ description: 'What the provider says of the address', examples: ['approved'] })
    }),
    { description: 'One per address, in the order of the query' }
  )
})

export const ComplianceEnabled = Type.Object({
  enabled: Type.Boolean({ description: 'Whether submissions are checked' })
})
