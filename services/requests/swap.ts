import type { SwapBody } from '../../schemas/swap.ts'
import { refuseZero, toWholeTokens } from '../amounts.ts'
import { fieldError } from '../errors/field-error.ts'
import type { MsgRequestSwapTransaction } from '../messages/index.ts'
import { type ClaimedDecimals, type Prepared, prepareRequest, type Wallet } from './request.ts'

/**
 * The chain's message for a stable-token swap (spec §4, POST /submit/swap). `amountIn` and `fee` are counted in
 * the origin token's decimals, `amountOut` in the target token's; one `decimals` speaks for both tokens.
 * @throws ServiceError VALIDATION or OPTIONS_INVALID, naming the field
 */
export function prepareSwap(body: SwapBody, wallet: Wallet): Prepared<MsgRequestSwapTransaction> {
  const { amountIn, amountOut, fee, dex = '' } = body
  const decimals = claimedDecimals(body)
  refuseZero('amountIn', amountIn)
  refuseZero('amountOut', amountOut)
  const { message, ...rest } = prepareRequest(body, wallet, decimals)
  return {
    ...rest,
    message: {
      ...message,
      amountIn: toWholeTokens(amountIn, decimals.origin.value, 'amountIn'),
      amountOut: toWholeTokens(amountOut, decimals.target.value, 'amountOut'),
      fee: toWholeTokens(fee, decimals.origin.value, 'fee'),
      dex,
      slippage: slippageText(body)
    }
  }
}

function claimedDecimals(body: SwapBody): { origin: ClaimedDecimals; target: ClaimedDecimals } {
  const { decimals, amountInDecimals, amountOutDecimals } = body
  if (decimals !== undefined && amountInDecimals !== undefined && decimals !== amountInDecimals) {
    throw fieldError('amountInDecimals', 'contradicts decimals')
  }
  const into = amountInDecimals ?? decimals
  const out = amountOutDecimals ?? decimals
  if (into === undefined && out === undefined) throw fieldError('decimals', 'is required')
  if (into === undefined) throw fieldError('amountInDecimals', 'is required')
  if (out === undefined) throw fieldError('amountOutDecimals', 'is required')
  return {
    origin: { value: into, field: amountInDecimals === undefined ? 'decimals' : 'amountInDecimals' },
    target: { value: out, field: 'amountOutDecimals' }
  }
}

/** A JSON number goes to the chain as people write it. */
function slippageText({ slippage = '' }: SwapBody): string {
  const text = String(slippage)
  if (typeof slippage === 'number' && text.includes('e')) {
    throw fieldError('slippage', 'must be a text, or a number that needs no exponent')
  }
  return text
}
