import type { State, StateView } from '../state/state.ts'

/** `pubKey` is unset until the first transaction of the account. */
export interface Account {
  readonly address: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  /** The key as a protobuf Any, with its value in base64. */
  readonly pubKey?: { readonly typeUrl: string; readonly value: string }
}

const nextNumberKey = 'auth/next-account-number'

function accountKey(address: string): string {
  return `auth/accounts/${address}`
}

export function getAccount(state: StateView, address: string): Account | undefined {
  return state.get<Account>(accountKey(address))
}

export function setAccount(state: State, account: Account): void {
  state.set(accountKey(account.address), account)
}

/** Creates an account with the next account number. */
export function createAccount(state: State, address: string): void {
  const accountNumber = state.get<bigint>(nextNumberKey) ?? 0n
  state.set(nextNumberKey, accountNumber + 1n)
  setAccount(state, { address, accountNumber, sequence: 0n })
}
