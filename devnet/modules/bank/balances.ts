import { sdkError } from '../../chain/errors.ts'
import type { Emit } from '../../chain/events.ts'
import type { SdkVersion } from '../../chain/options.ts'
import type { State, StateView } from '../../chain/state/state.ts'
import { createAccount, getAccount } from '../auth/accounts.ts'
import { type Coin, formatCoins } from './coins.ts'

function balancesPrefix(address: string): string {
  return `bank/balances/${address}/`
}

function ownersPrefix(denom: string): string {
  return `bank/owners/${denom}/`
}

export function getBalance(state: StateView, address: string, denom: string): bigint {
  return state.get<bigint>(balancesPrefix(address) + denom) ?? 0n
}

/** Everything an address holds, sorted by denomination. */
export function getBalances(state: StateView, address: string): Coin[] {
  const prefix = balancesPrefix(address)
  return state.keys(prefix).map(key => ({
    denom: key.slice(prefix.length),
    amount: state.get<bigint>(key) ?? 0n
  }))
}

/** Sets what an address holds and keeps the index of the denomination's owners. */
export function setBalance(state: State, address: string, { denom, amount }: Coin): void {
  const key = balancesPrefix(address) + denom
  const ownerKey = ownersPrefix(denom) + address
  if (amount === 0n) {
    state.delete(key)
    state.delete(ownerKey)
    return
  }
  state.set(key, amount)
  if (state.get<boolean>(ownerKey) === undefined) state.set(ownerKey, true)
}

/** The addresses that hold a denomination, sorted. */
export function getOwners(state: StateView, denom: string): string[] {
  const prefix = ownersPrefix(denom)
  return state.keys(prefix).map(key => key.slice(prefix.length))
}

/** What coins are moved in, and where the events of it go. */
export interface BankContext {
  readonly state: State
  readonly emit: Emit
  readonly sdk: SdkVersion
}

/** Takes coins from an address. @throws AbciError 5 when it has too little */
export function subtractCoins(
  { state, emit, sdk }: BankContext,
  spender: string,
  coins: readonly Coin[]
): void {
  // The SDK reads the account here to find vesting locks; the read is part of the gas that clients see.
  getAccount(state, spender)
  for (const { denom, amount } of coins) {
    const balance = getBalance(state, spender, denom)
    if (balance < amount) {
      const isShown = balance > 0n || sdk !== '0.47'
      const spendable = formatCoins(isShown ? [{ denom, amount: balance }] : [])
      throw sdkError('insufficientFunds', `spendable balance ${spendable} is smaller than ${amount}${denom}`)
    }
    setBalance(state, spender, { denom, amount: balance - amount })
  }
  emit('coin_spent', { spender, amount: formatCoins(coins) })
}

export function addCoins({ state, emit }: BankContext, receiver: string, coins: readonly Coin[]): void {
  for (const { denom, amount } of coins) {
    setBalance(state, receiver, { denom, amount: getBalance(state, receiver, denom) + amount })
  }
  emit('coin_received', { receiver, amount: formatCoins(coins) })
}

/** An address that receives coins for the first time gets an account. */
export function ensureAccount(state: State, address: string): void {
  if (!getAccount(state, address)) createAccount(state, address)
}

/** Moves coins, with the bank's events in the SDK's order. @throws AbciError 5 when the sender has too little */
export function sendCoins(
  context: BankContext,
  sender: string,
  recipient: string,
  coins: readonly Coin[]
): void {
  const { state, emit } = context
  subtractCoins(context, sender, coins)
  addCoins(context, recipient, coins)
  ensureAccount(state, recipient)
  emit('transfer', { recipient, sender, amount: formatCoins(coins) })
  emit('message', { sender })
}
