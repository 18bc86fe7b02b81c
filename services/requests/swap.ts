import type { SwapBody } from '../../schemas/swap.ts'
import { wholeText } from '../amounts.ts'
import { fieldError } from '../errors/index.ts'
import type { MsgRequestSwapTransaction } from '../messages/index.ts'
import { type RequestedAmounts, refuseZero } from './request.ts'

type SwapFields = Pick<MsgRequestSwapTransaction, 'amountIn' | 'amountOut' | 'fee' | 'dex' | 'slippage'>

/** Parses the amounts of a swap (interface 6.6). The fee has the decimals of `amountIn`. @throws ServiceError VALIDATION */
export function swapAmounts(body: SwapBody): RequestedAmounts<SwapFields> {
  const decimals = claimedDecimals(body)
  refuseZero('amountIn', BigInt(body.amountIn))
  refuseZero('amountOut', BigInt(body.amountOut))
  const whole = (digits: string, { value }: { value: number }) =>
    wholeText({ units: BigInt(digits), decimals: value })
  const [amountIn, amountOut] = [whole(body.amountIn, decimals.in), whole(body.amountOut, decimals.out)]
  const assumed = body.amountOutDecimals === undefined
  return {
    claimed: {
      origin: { field: 'amountIn', whole: amountIn, decimals: decimals.in, assumed: false },
      target: { field: 'amountOut', whole: amountOut, decimals: decimals.out, assumed }
    },
    fields: {
      amountIn,
      amountOut,
      fee: whole(body.fee, decimals.in),
      dex: body.dex ?? '',
      slippage: slippageText(body)
    }
  }
}

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
