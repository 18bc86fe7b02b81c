import { inDecimals } from './amounts.ts'
import type { components } from './openapi.ts'
import type { Quote } from './quote.ts'

type Schemas = components['schemas']

/** The body of a transfer (interface 6.3). */
export type TransferBody = Schemas['TransferRequest']

/** The body of a swap (interface 6.5). */
export type SwapBody = Schemas['SwapRequest']

export type SubmitBody = TransferBody | SwapBody

export const isSwapBody = (body: SubmitBody): body is SwapBody => 'amountIn' in body

export interface Approval {
  /** Where the fees are paid; at the origin by default. */
  side?: 'feeFromOrigin' | 'feeFromTarget'
  /** The user's signature of that side's message. A card or bank payment has none. */
  signature?: string
  /** The UUIDv4 of a card or bank payment. */
  transactionIdSeed?: string
  /**
   * For a swap: how far what arrives may be from the quote, as a fraction, which goes to the chain as it is: `'0.005'` is half
   * a percent. The chain decides where it is missing.
   */
  slippage?: string
}

/**
 * The body that submits exactly what was quoted. Keep it until the result is known: a retry must send the same one.
 * @throws RangeError when the quote does not have the side
 */
export function bodyOf(
  quote: Quote,
  { side = 'feeFromOrigin', signature, transactionIdSeed, slippage }: Approval
): SubmitBody {
  const values = quote[side]
  if (values === undefined) throw new RangeError(`The quote has no ${side}`)
  const { submitAmount, message } = values
  const { value: amount, decimals } = submitAmount
  const { originAddress, originChain, originSymbol, targetAddress, targetChain, targetSymbol } = quote.request
  const common = {
    ...{ originAddress, originChain, originSymbol, targetAddress, targetChain, targetSymbol },
    fee: inDecimals(quote.fees.total, decimals).value,
    options: JSON.stringify({
      ...quote.options,
      feeId: quote.feeId,
      chargeFeeAtTarget: side === 'feeFromTarget',
      ...(signature !== undefined && { signature, message }),
      ...(transactionIdSeed !== undefined && { transactionIdSeed })
    })
  }
  if (quote.swap === undefined) return { ...common, amount, decimals }
  const { amountOut, dex } = quote.swap
  return {
    ...common,
    amountIn: amount,
    amountInDecimals: decimals,
    amountOut: amountOut.value,
    amountOutDecimals: amountOut.decimals,
    ...(dex !== undefined && { dex }),
    ...(slippage !== undefined && { slippage })
  }
}
