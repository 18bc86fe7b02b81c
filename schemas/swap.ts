import { type Static, Type } from '@sinclair/typebox'
import { decimals, digitString, formed } from './leaves.ts'
import { printable, requestBody, submitFields } from './submit.ts'
import { swapExample } from './submit-examples.ts'

export const SwapBody = requestBody('SwapRequest', 'Swap request', swapExample, {
  ...submitFields,
  amountIn: digitString({ description: 'Amount paid, in the origin token’s smallest unit' }),
  amountOut: digitString({ description: 'Amount received, in the target token’s smallest unit' }),
  fee: digitString({ description: 'Total fee in the origin token’s smallest unit', examples: ['412750'] }),
  decimals: Type.Optional(
    decimals({
      description:
        'Decimals of both tokens. If they differ, send `amountInDecimals` and `amountOutDecimals` instead'
    })
  ),
  amountInDecimals: Type.Optional(decimals({ description: 'Decimals of the origin token' })),
  amountOutDecimals: Type.Optional(decimals({ description: 'Decimals of the target token' })),
  dex: Type.Optional(printable('Exchange to use; passed on to the chain', 'auto')),
  slippage: Type.Optional(
    Type.Union(
      [
        Type.String(formed('at most 64 printable ASCII characters', { pattern: '^[\\x20-\\x7e]{0,64}$' })),
        Type.Number({ minimum: 0 })
      ],
      {
        description:
          'Largest accepted deviation from the quote, as a fraction; passed on to the chain as a string',
        examples: ['0.005']
      }
    )
  )
})
export type SwapBody = Static<typeof SwapBody>
