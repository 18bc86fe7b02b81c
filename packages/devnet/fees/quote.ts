import { randomUUID } from 'node:crypto'
import type { DevnetNames } from '../brand.ts'
import { converted, divideUp, gasCosts, prices, tokensFor, wholeTokens } from './prices.ts'
import { QuoteError, type QuoteToken, type Route } from './route.ts'

/** The format of integer amounts (interface 5.10). */
type QuoteForm = 'v2' | 'v3'

const LIFETIME_MS = 10 * 60 * 1000

/**
 * Creates a quote (interface 5.8 to 5.14, for swaps 5.22). Fees are integers in the smallest unit of the origin token,
 * rounded up, for a transfer to the decimals of the target token; the whole-token numbers are derived from them. If the pegs of the tokens differ, the quote is for a swap.
 * @throws QuoteError when the fees are not less than the amount, or a transfer's amount is finer than the target token
 */
export function createQuote(route: Route, names: DevnetNames, form: QuoteForm): Record<string, unknown> {
  const { origin, target, targetAddress, amount, options } = route
  const isSwap = origin.peggedTo !== target.peggedTo
  // A transfer pays out an origin amount in the target token, which can have fewer decimals.
  const unit = isSwap ? 1n : 10n ** BigInt(Math.max(0, origin.decimals - target.decimals))
  if (amount % unit !== 0n) {
    const most = `${target.decimals} fraction digits, the decimals of ${target.symbol} on ${target.chain}`
    throw new QuoteError(`amount has more than ${most}`)
  }
  const rounded = (fee: bigint) => divideUp(fee, unit) * unit
  const originGas = rounded(tokensFor(gasCosts[origin.chain] ?? 0n, origin))
  const targetGas = rounded(tokensFor(gasCosts[target.chain] ?? 0n, origin))
  const processing = rounded(divideUp(amount * 5n, 10_000n))
  const swap = isSwap ? divideUp(amount * 3n, 1_000n) : 0n
  const total = originGas + processing + targetGas + swap
  if (amount <= total) {
    throw new QuoteError(
      `amount ${wholeTokens(amount, origin)} does not cover the fees ${wholeTokens(total, origin)}`
    )
  }

  function integer(value: bigint, { decimals }: QuoteToken) {
    return form === 'v2' ? String(value) : { value: String(value), decimals }
  }

  function amounts(stem: string, value: bigint, token = origin) {
    return { [`${stem}Fiat`]: Number(wholeTokens(value, token)), [`${stem}BigInt`]: integer(value, token) }
  }

  function transaction(allowance: bigint, submit: bigint) {
    return {
      allowanceAmount: integer(allowance, origin),
      submitAmount: integer(submit, origin),
      message: `I approve the transfer of ${wholeTokens(allowance, origin)} ${origin.symbol} from ${origin.chain} to ${targetAddress} on ${target.chain}.`
    }
  }

  function swapInfo() {
    const amountOut = converted(amount, origin, target)
    return {
      ...amounts('amountOut', amountOut, target),
      dex: 'devnet',
      slippage: {
        percentage: 0.5,
        minAmountFiat: Number(wholeTokens((amountOut * 995n) / 1000n, target)),
        maxAmountFiat: Number(wholeTokens((amountOut * 1005n) / 1000n, target))
      }
    }
  }

  return {
    feeId: randomUUID(),
    ...amounts('feeOriginGas', originGas),
    ...amounts(names.processingFeeStem, processing),
    ...amounts('feeTargetGas', targetGas),
    ...(isSwap && amounts('feeSwap', swap)),
    ...amounts('feeTotal', total),
    totalFeeUsd:
      Number(divideUp(total * prices[origin.peggedTo], 10n ** BigInt(origin.decimals))) / 1_000_000,
    ...(form === 'v2' && { decimals: origin.decimals }),
    peggedTo: origin.peggedTo,
    expiration: new Date(Date.now() + LIFETIME_MS).toISOString(),
    options,
    ...(isSwap && { swapInfo: swapInfo() }),
    transactionValues: {
      feeFromOrigin: transaction(amount + total, amount),
      ...(!isSwap && { feeFromTarget: transaction(amount, amount - total) })
    }
  }
}
