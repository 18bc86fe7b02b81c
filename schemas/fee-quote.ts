import { type Static, Type } from '@sinclair/typebox'
import {
  address,
  chainName,
  decimals,
  digitString,
  feeId,
  originAddress,
  positiveDecimal,
  tokenSymbol
} from './leaves.ts'
import { receiver } from './submit-examples.ts'

export const FeeQuery = Type.Object({
  amount: positiveDecimal({
    description:
      'Amount to transfer in whole tokens, above zero, with no more fraction digits than the origin token has'
  }),
  originAddress: originAddress(
    'Address of the paying user; ignored for the rails `BANK` and `CC`, and may be empty'
  ),
  originChain: chainName(),
  originSymbol: tokenSymbol(),
  targetAddress: address({ description: 'Receiving address', examples: [receiver] }),
  targetChain: chainName({ examples: ['POL'] }),
  targetSymbol: tokenSymbol({ examples: ['USDC'] }),
  deductFee: Type.Optional(Type.Boolean({ description: 'Passed on to the fee service' }))
})
export type FeeQuery = Static<typeof FeeQuery>

/** An amount in the smallest unit, in either format (interface 5.10, 5.17). */
const quotedAmount = (description: string) =>
  Type.Union(
    [
      digitString(),
      Type.Object(
        {
          value: Type.Union([digitString(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], {
            description: 'Integer in the smallest unit'
          }),
          decimals: decimals()
        },
        { description: 'With SERVICE_RESPONSE_FORMAT=widget' }
      )
    ],
    { description }
  )
export const QuotedAmount = quotedAmount('Amount in the smallest unit')
export type QuotedAmount = Static<typeof QuotedAmount>

const transactionValues = (description: string) =>
  Type.Object(
    {
      allowanceAmount: quotedAmount('Amount to approve, in the smallest unit'),
      submitAmount: quotedAmount('Amount to submit, in the smallest unit'),
      message: Type.Optional(Type.String({ description: 'Message that the user signs' }))
    },
    { description }
  )
export type QuoteSide = Static<ReturnType<typeof transactionValues>>

/** The required content of a fee service's response (interface 5.7). */
export const QuoteCore = Type.Object({
  feeId: feeId({ description: 'Identifier of the quote; goes into the submit request' }),
  decimals: Type.Optional(Type.Union([decimals(), Type.Null()])),
  transactionValues: Type.Object(
    {
      feeFromOrigin: Type.Optional(transactionValues('When the user pays the fees from the origin amount')),
      feeFromTarget: Type.Optional(
        transactionValues('When the fees are taken from the target amount; missing for a swap')
      )
    },
    { description: 'Amounts to approve and submit, and the message to sign' }
  )
})
export type QuoteCore = Static<typeof QuoteCore>

const quotedFee = (stem: string, description: string) => ({
  [`${stem}Fiat`]: Type.Optional(Type.Number({ description: `${description}, in whole tokens` })),
  [`${stem}BigInt`]: Type.Optional(quotedAmount(`${description}, in the smallest unit`))
})

/** @param processingField start of the processing fee's field names, which contains the brand (interface 5.8) */
export function feeQuote(processingField: string) {
  return Type.Object(
    {
      ...QuoteCore.properties,
      ...quotedFee('feeOriginGas', 'Gas fee on the origin chain'),
      ...quotedFee(processingField, 'Processing fee'),
      ...quotedFee('feeTargetGas', 'Gas fee on the target chain'),
      ...quotedFee('feeTotal', 'Total fee'),
      ...quotedFee('feeSwap', 'Fee of a swap'),
      totalFeeUsd: Type.Optional(Type.Number({ description: 'Total fee in USD, for display' })),
      decimals: Type.Optional(decimals()),
      peggedTo: Type.Optional(Type.String({ description: 'Currency that the token is pegged to' })),
      expiration: Type.Optional(
        Type.Union([Type.String(), Type.Number()], {
          description: 'When the quote expires, in the fee service’s format'
        })
      ),
      options: Type.Optional(
        Type.Object(
          {
            paymentMethod: Type.Optional(
              Type.String({ description: 'Payment method of a rail', examples: ['creditCard'] })
            )
          },
          { additionalProperties: true, description: 'Goes into the options of the submission' }
        )
      ),
      swapInfo: Type.Optional(
        Type.Object(
          {
            amountOutFiat: Type.Optional(Type.Number({ description: 'Amount received, in whole tokens' })),
            amountOutBigInt: Type.Optional(
              quotedAmount('Amount received, in the smallest unit of the target token')
            ),
            dex: Type.Optional(Type.String({ description: 'Exchange that executes the swap' })),
            slippage: Type.Optional(
              Type.Object(
                {
                  percentage: Type.Optional(Type.Number({ description: 'In percent' })),
                  minAmountFiat: Type.Optional(
                    Type.Number({ description: 'Smallest amount received, in whole tokens' })
                  ),
                  maxAmountFiat: Type.Optional(
                    Type.Number({ description: 'Largest amount received, in whole tokens' })
                  )
                },
                { additionalProperties: true, description: 'Accepted deviation of the amount' }
              )
            )
          },
          { additionalProperties: true, description: 'For a swap' }
        )
      )
    },
    { title: 'Quote', additionalProperties: true, description: 'Fee quote' }
  )
}
