import type { SwapBody } from '../../schemas/swap.ts'
import { refuseZero, wholeText } from '../amounts.ts'
import { fieldError } from '../errors/index.ts'
import type { MsgRequestSwapTransaction } from '../messages/index.ts'
import type { RequestedAmounts } from './request.ts'

type SwapFields = Pick<MsgRequestSwapTransaction, 'amountIn' | 'amountOut' | 'fee' | 'dex' | 'slippage'>

/** Parses the amounts of a swap (interface 6.6). The fee has the decimals of `amountIn`. @throws ServiceError VALIDATION */
export function swapAmounts(body: SwapBody): RequestedAmounts<SwapFields> {
  const [amountIn, amountOut, fee] = [BigInt(body.amountIn), BigInt(body.amountOut), BigInt(body.fee)]
  const decimals = claimedDecimals(body)
  refuseZero('amountIn', amountIn)
  refuseZero('amountOut', amountOut)
  const wholeIn = wholeText({ units: amountIn, decimals: decimals.in.value })
  const wholeOut = wholeText({ units: amountOut, decimals: decimals.out.value })
  return {
    claimed: {
      origin: { field: 'amountIn', whole: wholeIn, decimals: decimals.in, assumed: false },
      target: {
        field: 'amountOut',
        whole: wholeOut,
        decimals: decimals.out,
        assumed: body.amountOutDecimals === undefined
      }
    },
    fields: {
      amountIn: wholeIn,
      amountOut: wholeOut,
      fee: wholeText({ units: fee, decimals: decimals.in.value }),
      dex: body.dex ?? '',
      slippage: slippageText(body)
    }
  }
}

/** A single `decimals` applies to both tokens. */
function claimedDecimals(body: SwapBody) {
  const { decimals, amountInDecimals, amountOutDecimals } = body
  if (decimals !== undefined && amountInDecimals !== undefined && decimals !== amountInDecimals) {
    throw fieldError('amountInDecimals', 'must equal decimals when both are sent')
  }
  const into = amountInDecimals ?? decimals
  const out = amountOutDecimals ?? decimals
  if (into === undefined && out === undefined)
    throw fieldError('decimals', 'is required without amountInDecimals and amountOutDecimals')
  if (into === undefined) throw fieldError('amountInDecimals', 'is required without decimals')
  if (out === undefined) throw fieldError('amountOutDecimals', 'is required without decimals')
  return {
    in: { value: into, field: amountInDecimals === undefined ? 'decimals' : 'amountInDecimals' },
    out: { value: out, field: 'amountOutDecimals' }
  }
}

function slippageText({ slippage = '' }: SwapBody): string {
  const text = String(slippage)
  if (typeof slippage === 'number' && text.includes('e')) {
    throw fieldError('slippage', 'must be a string, or a number without an exponent')
  }
  return text
}
