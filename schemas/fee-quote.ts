import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  address,
  chainName,
  component,
  decimals,
  digitString,
  feeId,
  open,
  originAddress,
  positiveDecimal,
  text,
  tokenSymbol
} from './leaves.ts'
import { SmallestUnits } from './submit.ts'
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

/** `documented`: digit strings and one `decimals`; `widget`: `{ value, decimals }` for each amount (interface 5.17). */
export type ResponseFormat = 'documented' | 'widget'

/** Returns the schema of an amount in the smallest unit. */
type AmountSchema = (description: string) => TSchema

const WidgetAmount = component('Amount', 'Amount in the smallest unit', {
  value: digitString(),
  decimals: decimals()
})

const amounts = {
  documented: (description: string) => digitString({ description }),
  widget: (_description: string) => WidgetAmount
}

/** An amount from a fee service, in either format (interface 5.10). */
export const QuotedAmount = Type.Union([
  digitString(),
  Type.Object({ value: SmallestUnits, decimals: decimals() })
])
export type QuotedAmount = Static<typeof QuotedAmount>

const VALUES =
  'Amounts to approve and submit, and the message to sign. `feeFromOrigin`: the user pays the fees from the origin amount; ' +
  '`feeFromTarget`, missing for a swap: they are taken from the target amount'

function quoteCore<Amount extends TSchema>(amount: (description: string) => Amount) {
  const side = component('QuoteSide', 'Amounts to approve and submit, and the message to sign', {
    allowanceAmount: amount('Amount to approve, in the smallest unit'),
    submitAmount: amount('Amount to submit, in the smallest unit'),
    message: Type.Optional(text('Message that the user signs'))
  })
  return Type.Object({
    feeId: feeId({ description: 'Identifier of the quote; goes into the submit request' }),
    decimals: Type.Optional(Type.Union([decimals(), Type.Null()])),
    transactionValues: component('QuoteValues', VALUES, {
      feeFromOrigin: Type.Optional(side),
      feeFromTarget: Type.Optional(side)
    })
  })
}

/** The required content of a fee service's response (interface 5.7). */
export const QuoteCore = quoteCore(() => QuotedAmount)
export type QuoteCore = Static<typeof QuoteCore>
export type QuoteSide = NonNullable<QuoteCore['transactionValues']['feeFromOrigin']>

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }))

const options = component('QuoteOptions', 'Goes into the options of the submission', {
  paymentMethod: Type.Optional(text('Payment method of a rail', 'creditCard'))
})

const slippage = component('QuoteSlippage', 'Accepted deviation of the amount', {
  percentage: optionalNumber('In percent'),
  minAmountFiat: optionalNumber('Smallest amount received, in whole tokens'),
  maxAmountFiat: optionalNumber('Largest amount received, in whole tokens')
})

const swapInfo = (amount: AmountSchema) =>
  component('QuotedSwap', 'For a swap', {
    amountOutFiat: optionalNumber('Amount received, in whole tokens'),
    amountOutBigInt: Type.Optional(amount('Amount received, in the smallest unit of the target token')),
    dex: Type.Optional(text('Exchange that executes the swap')),
    slippage: Type.Optional(open(slippage))
  })

/** @param processingField start of the processing fee's field names, which contains the brand (interface 5.8) */
export function feeQuote(processingField: string, format: ResponseFormat) {
  const amount: AmountSchema = amounts[format]
  const quotedFee = (stem: string, description: string) => ({
    [`${stem}Fiat`]: optionalNumber(`${description}, in whole tokens`),
    [`${stem}BigInt`]: Type.Optional(amount(`${description}, in the smallest unit`))
  })
  return open(
    component('Quote', 'Fee quote', {
      ...quoteCore(amount).properties,
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
          title: 'QuoteExpiration',
          description: 'When the quote expires, in the fee service’s format'
        })
      ),
      options: Type.Optional(open(options)),
      swapInfo: Type.Optional(open(swapInfo(amount)))
    })
  )
}
