import { type Static, Type } from '@sinclair/typebox'
import { decimals, digitString } from './leaves.ts'
import { submitFields } from './submit.ts'

/** Body of a stable-token swap (spec §4, POST /submit/swap). */
export const SwapBody = Type.Object(
  {
    ...submitFields,
    amountIn: digitString({ description: 'What is paid, in the origin token’s smallest unit' }),
    amountOut: digitString({ description: 'What is received, in the target token’s smallest unit' }),
    fee: digitString({ description: 'Total fee in the origin token’s smallest unit', examples: ['412750'] }),
    decimals: Type.Optional(
      decimals({
        description: 'Decimals of both tokens; tokens that differ need the two properties that follow'
      })
    ),
    amountInDecimals: Type.Optional(decimals({ description: 'Decimals of the origin token' })),
    amountOutDecimals: Type.Optional(decimals({ description: 'Decimals of the target token' })),
    dex: Type.Optional(
      Type.String({
        pattern: '^[\\x20-\\x7e]{0,255}$',
        description: 'Exchange to swap at; passed on',
        examples: ['uniswap']
      })
    ),
    slippage: Type.Optional(
      Type.Union([Type.String({ pattern: '^[\\x20-\\x7e]{0,64}$' }), Type.Number({ minimum: 0 })], {
        description: 'How much worse than quoted the swap may be; passed on as text',
        examples: ['0.5']
      })
    )
  },
  { description: 'Swap request; properties that are not listed are ignored' }
)
export type SwapBody = Static<typeof SwapBody>
