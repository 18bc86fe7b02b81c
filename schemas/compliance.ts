import { Type } from '@sinclair/typebox'
import { address } from './leaves.ts'

/** More would make the provider's URL longer than servers accept. */
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
  isError: Type.Boolean({
    description: 'True when the provider could not check the addresses; none is compliant then'
  }),
  results: Type.Array(
    Type.Object({
      isCompliant: Type.Boolean(),
      result: Type.String({ description: 'The provider’s result for the address', examples: ['approved'] })
    }),
    { description: 'One per address, in the order of the query' }
  )
})

export const ComplianceEnabled = Type.Object({
  enabled: Type.Boolean({ description: 'Whether submissions are checked' })
})
