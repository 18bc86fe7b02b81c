import type { Coin as CoinProto } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { sdkError } from './errors.ts'

export interface Coin {
  readonly denom: string
  readonly amount: bigint
}

/** Decodes coins. @throws AbciError 2 when an amount is not an integer of at most 256 bits */
export function fromProto(coins: readonly CoinProto[]): Coin[] {
  return coins.map(({ denom, amount }) => {
    if (/^-?\d{1,78}$/.test(amount)) return { denom, amount: BigInt(amount) }
    throw sdkError('txDecode', `math/big: cannot unmarshal "${amount}" into a *big.Int`)
  })
}

/** Formats coins as the SDK does: `1abc,20def`. */
export function formatCoins(coins: readonly Coin[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

export function isValidDenom(denom: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)
}

/** Returns whether the SDK accepts the coins: sorted by denomination, no duplicates, all positive. May be empty. */
export function areValidCoins(coins: readonly Coin[]): boolean {
  return coins.every(({ denom, amount }, index) => {
    const previous = coins[index - 1]
    return isValidDenom(denom) && amount > 0n && (previous === undefined || previous.denom < denom)
  })
}
