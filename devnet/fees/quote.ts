import { randomUUID } from 'node:crypto'
import { Decimal } from '@cosmjs/math'
import type { DevnetNames } from '../brand.ts'
import { gasCosts, prices, USD_DECIMALS } from './prices.ts'
import { QuoteError, type Route } from './route.ts'

const LIFETIME_MS = 10 * 60 * 1000

/**
 * A full quote (interface 5.8 to 5.14). Everything is computed in the origin token's smallest unit and rounded up. The
 * whole-token numbers are derived from those integers, so the two always agree.
 * @throws QuoteError when the fees are not less than the amount
 */
export function createQuote(route: Route, names: DevnetNames): Record<string, unknown> {
  const { decimals, peggedTo, amount } = route
  const originGas = tokensFor(gasCosts[route.originChain] ?? 0n, route)
  const targetGas = tokensFor(gasCosts[route.targetChain] ?? 0n, route)
  const processing = divideUp(amount * 5n, 10_000n)
  const total = originGas + processing + targetGas
  if (amount <= total)
    throw new QuoteError(`amount ${inTokens(amount)} does not cover the fees ${inTokens(total)}`)

  function inTokens(value: bigint): string {
    return Decimal.fromAtomics(String(value), decimals).toString()
  }

  function fee(stem: string, value: bigint): Record<string, number | string> {
    return { [`${stem}Fiat`]: Number(inTokens(value)), [`${stem}BigInt`]: String(value) }
  }

  function transaction(allowance: bigint, submit: bigint) {
    const { originSymbol, originChain, targetAddress, targetChain } = route
    return {
      allowanceAmount: String(allowance),
      submitAmount: String(submit),
      message: `I approve the transfer of ${inTokens(allowance)} ${originSymbol} from ${originChain} to ${targetAddress} on ${targetChain}.`
    }
  }

  return {
    feeId: randomUUID(),
    ...fee('feeOriginGas', originGas),
    ...fee(names.processingFeeStem, processing),
    ...fee('feeTargetGas', targetGas),
    ...fee('feeTotal', total),
    totalFeeUsd: usdNumber(divideUp(total * prices[peggedTo], 10n ** BigInt(decimals))),
    decimals,
    peggedTo,
    expiration: new Date(Date.now() + LIFETIME_MS).toISOString(),
    transactionValues: {
      feeFromOrigin: transaction(amount + total, amount),
      feeFromTarget: transaction(amount, amount - total)
    }
  }
}

/** A cost in millionths of a US dollar as an amount of the route's token. */
function tokensFor(cost: bigint, { decimals, peggedTo }: Route): bigint {
  return divideUp(cost * 10n ** BigInt(decimals), prices[peggedTo])
}

function usdNumber(millionths: bigint): number {
  return Number(Decimal.fromAtomics(String(millionths), USD_DECIMALS).toString())
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
