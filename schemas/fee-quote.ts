import { type Static, Type } from '@sinclair/typebox'
import {
  address,
  chainName,
  component,
  decimals,
  digitString,
  feeId,
  object,
  open,
  originAddress,
  positiveDecimal,
  text,
  tokenSymbol
} from './leaves.ts'
import { smallestUnits } from './submit.ts'
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
      object('With SERVICE_RESPONSE_FORMAT=widget', {
        value: smallestUnits({ description: 'Integer in the smallest unit' }),
        decimals: decimals()
      })
    ],
    { description }
  )
export const QuotedAmount = quotedAmount('Amount in the smallest unit')
export type QuotedAmount = Static<typeof QuotedAmount>

const transactionValues = (description: string) =>
  object(description, {
    allowanceAmount: quotedAmount('Amount to approve, in the smallest unit'),
    submitAmount: quotedAmount('Amount to submit, in the smallest unit'),
    message: Type.Optional(text('Message that the user signs'))
  })
export type QuoteSide = Static<ReturnType<typeof transactionValues>>

/** The required content of a fee service's response (interface 5.7). */
export const QuoteCore = Type.Object({
  feeId: feeId({ description: 'Identifier of the quote; goes into the submit request' }),
  decimals: Type.Optional(Type.Union([decimals(), Type.Null()])),
  transactionValues: object('Amounts to approve and submit, and the message to sign', {
    feeFromOrigin: Type.Optional(transactionValues('When the user pays the fees from the origin amount')),
    feeFromTarget: Type.Optional(
      transactionValues('When the fees are taken from the target amount; missing for a swap')
    )
  })
})
export type QuoteCore = Static<typeof QuoteCore>

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }))

const quotedFee = (stem: string, description: string) => ({
  [`${stem}Fiat`]: optionalNumber(`${description}, in whole tokens`),
  [`${stem}BigInt`]: Type.Optional(quotedAmount(`${description}, in the smallest unit`))
})

const options = object('Goes into the options of the submission', {
  paymentMethod: Type.Optional(text('Payment method of a rail', 'creditCard'))
})

const slippage = object('Accepted deviation of the amount', {
  percentage: optionalNumber('In percent'),
  minAmountFiat: optionalNumber('Smallest amount received, in whole tokens'),
  maxAmountFiat: optionalNumber('Largest amount received, in whole tokens')
})

const swapInfo = object('For a swap', {
  amountOutFiat: optionalNumber('Amount received, in whole tokens'),
  amountOutBigInt: Type.Optional(quotedAmount('Amount received, in the smallest unit of the target token')),
  dex: Type.Optional(text('Exchange that executes the swap')),
  slippage: Type.Optional(open(slippage))
})

/** @param processingField start of the processing fee's field names, which contains the brand (interface 5.8) */
export const feeQuote = (processingField: string) =>
  open(
    component('Quote', 'Fee quote', {
      ...QuoteCore.properties,
      ...quotedFee('feeOriginGas', 'Gas fee on the origin chain'),
      ...quotedFee(processingField, 'Processing fee'),
      ...quotedFee('feeTargetGas', 'Gas fee on the target chain'),
      ...quotedFee('feeTotal', 'Total fee'),
      ...quotedFee('feeSwap', 'Fee of a swap'),
      totalFeeUsd: optionalNumber('Total fee in USD, for display'),
      decimals: Type.Optional(decimals()),
      peggedTo: Type.Optional(text('Currency that the token is pegged to')),
      expiration: Type.Optional(
        Type.Union([Type.String(), Type.Number()], {
          description: 'When the quote expires, in the fee service’s format'
        })
      ),
      options: Type.Optional(open(options)),
      swapInfo: Type.Optional(open(swapInfo))
    })
  )
