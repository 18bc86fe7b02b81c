import { Type } from '@sinclair/typebox'
import { address, flag, list, text, titled } from './leaves.ts'
import { receiver } from './submit-examples.ts'

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

const Result = Type.Object(
  {
    address: text('As the provider spells it'),
    name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Owner of the address, if the provider knows it'
      })
    ),
    risk_score: Type.Optional(text('`low` is compliant', 'low'))
  },
  {
    title: 'ComplianceRecord',
    additionalProperties: false,
    description: 'The provider’s record of the address'
  }
)

export const ComplianceResponse = titled('Compliance', {
  isCompliant: flag('True if all addresses are compliant'),
  isError: flag('True if the provider could not check; then no address is compliant'),
  results: list(
    'One per address, in the order of the query',
    titled('ComplianceResult', { isCompliant: flag('Whether this address is compliant'), result: Result })
  )
})

export const ComplianceEnabled = titled('ComplianceEnabled', {
  enabled: flag('Whether submissions are checked')
})
