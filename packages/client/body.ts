import { inDecimals } from './amounts.ts'
import type { Permit2Option } from './approval/permit2.ts'
import type * as schemas from './openapi.ts'
import { type Quote, type SideName, sideOf } from './quote.ts'

/** The body of a transfer (interface 6.3). */
export type TransferBody = schemas.TransferRequest

/** The body of a swap (interface 6.5). */
export type SwapBody = schemas.SwapRequest

export type SubmitBody = TransferBody | SwapBody

export const isSwapBody = (body: SubmitBody): body is SwapBody => 'amountIn' in body

export interface Approval {
  /** The side on which the user pays the fees. Defaults to the origin. */
  side?: SideName
  /** The user's signature of the quote's message for `side`. Omit it for a card or bank payment. */
  signature?: string
  /** The Permit2 signature for a Permit2 token, from `approvalOf`. */
  permit2?: Permit2Option
  /** The UUIDv4 of a card or bank payment. */
  transactionIdSeed?: string
  /**
   * For a swap: the maximum difference between the quoted and the received amount, as a fraction; `'0.005'` is half a
   * percent. If omitted, the chain chooses the value.
   */
  slippage?: string
}

/**
 * Builds the request body that submits the quoted transfer. Keep the body until the result is known: a retry must send
 * the same body.
 * @throws RangeError when the quote does not have this side
 */
export function bodyOf(
  quote: Quote,
  { side = 'feeFromOrigin', signature, permit2, transactionIdSeed, slippage }: Approval
): SubmitBody {
  const { submitAmount, message } = sideOf(quote, side)
  const { value: amount, decimals } = submitAmount
  const { originAddress, originChain, originSymbol, targetAddress, targetChain, targetSymbol } = quote.request
  const common = {
    originAddress,
    originChain,
    originSymbol,
    targetAddress,
    targetChain,
    targetSymbol,
    fee: inDecimals(quote.fees.total, decimals).value,
    options: JSON.stringify({
      ...quote.options,
      feeId: quote.feeId,
      chargeFeeAtTarget: side === 'feeFromTarget',
      ...(signature !== undefined && { signature, message }),
      ...(permit2 !== undefined && { permit2 }),
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
