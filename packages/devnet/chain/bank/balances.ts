import { createAccount, getAccount } from '../auth/accounts.ts'
import { type Coin, formatCoins } from '../coins.ts'
import { sdkError } from '../errors.ts'
import type { Emit } from '../events.ts'
import type { State, StateView } from '../state/state.ts'

function balancesPrefix(address: string): string {
  return `bank/balances/${address}/`
}

export function getBalance(state: StateView, address: string, denom: string): bigint {
  return state.get<bigint>(balancesPrefix(address) + denom) ?? 0n
}

export function setBalance(state: State, address: string, { denom, amount }: Coin): void {
  const key = balancesPrefix(address) + denom
  if (amount === 0n) state.delete(key)
  else state.set(key, amount)
}

export interface BankContext {
  readonly state: State
  readonly emit: Emit
}

function subtractCoins({ state, emit }: BankContext, spender: string, coins: readonly Coin[]): void {
  // The SDK reads the account to find vesting locks, which costs gas.
  getAccount(state, spender)
  for (const { denom, amount } of coins) {
    const balance = getBalance(state, spender, denom)
    if (balance < amount) {
      const spendable = formatCoins(balance > 0n ? [{ denom, amount: balance }] : [])
      throw sdkError('insufficientFunds', `spendable balance ${spendable} is smaller than ${amount}${denom}`)
    }
    setBalance(state, spender, { denom, amount: balance - amount })
  }
  emit('coin_spent', { spender, amount: formatCoins(coins) })
}

function addCoins({ state, emit }: BankContext, receiver: string, coins: readonly Coin[]): void {
  for (const { denom, amount } of coins) {
    setBalance(state, receiver, { denom, amount: getBalance(state, receiver, denom) + amount })
  }
  emit('coin_received', { receiver, amount: formatCoins(coins) })
}

/** @throws AbciError 5 when the balance of the sender is too low */
export function sendCoins(
  context: BankContext,
  sender: string,
  recipient: string,
  coins: readonly Coin[]
): void {
  const { state, emit } = context
  subtractCoins(context, sender, coins)
  addCoins(context, recipient, coins)
  // An address that receives coins for the first time gets an account.
  if (!getAccount(state, recipient)) createAccount(state, recipient)
  emit('transfer', { recipient, sender, amount: formatCoins(coins) })
  emit('message', { sender })
}
