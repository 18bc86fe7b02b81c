import { Type } from '@sinclair/typebox'
import { address } from './leaves.ts'
import { receiver } from './submit-examples.ts'

/** A compliance provider's risk scores, from harmless to forbidden (interface 11.3). */
export const riskScores = ['low', 'med', 'high', 'critical'] as const

export type RiskScore = (typeof riskScores)[number]

/** Each address causes a provider lookup. */
const MAX_ADDRESSES = 20

export const ComplianceQuery = Type.Object({
  address: Type.Array(address(), {
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    // /docs ignores examples of items.
    examples: [[receiver]],
    description: `Repeated for each address, at most ${MAX_ADDRESSES} times`
  })
})

export const ComplianceResponse = Type.Object(
  {
    isCompliant: Type.Boolean({ description: 'True if all addresses are compliant' }),
    isError: Type.Boolean({
      description: 'True if the provider could not check; then no address is compliant'
    }),
    results: Type.Array(
      Type.Object({
        isCompliant: Type.Boolean({ description: 'Whether this address is compliant' }),
        result: Type.Object(
          {
            address: Type.String({ description: 'In its canonical spelling' }),
            name: Type.Optional(
              Type.Union([Type.String(), Type.Null()], {
                description: 'Owner of the address, if the provider knows it'
              })
            ),
            risk_score: Type.Optional(
              Type.String({ description: `One of ${riskScores.join(', ')}`, examples: ['low'] })
            )
          },
          { additionalProperties: false, description: 'The provider’s record of the address' }
        )
      }),
      { description: 'One per address, in the order of the query' }
    )
  },
  { title: 'Compliance' }
)

export const ComplianceEnabled = Type.Object(
  { enabled: Type.Boolean({ description: 'Whether submissions are checked' }) },
  { title: 'ComplianceEnabled' }
)
