import type { State, StateView } from '../../chain/state/state.ts'

/** An account as state holds it. `pubKey` is unset until the account's first transaction. */
export interface Account {
  readonly address: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  /** The key as a protobuf Any, its value in base64. */
  readonly pubKey?: { readonly typeUrl: string; readonly value: string }
  /** Set on the accounts of modules. */
  readonly module?: { readonly name: string; readonly permissions: readonly string[] }
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

/** Takes the next free account number. */
export function takeAccountNumber(state: State): bigint {
  const number = state.get<bigint>(nextNumberKey) ?? 0n
  state.set(nextNumberKey, number + 1n)
  return number
}

/** Creates an account with the next account number. */
export function createAccount(state: State, address: string, module?: Account['module']): Account {
  const account: Account = {
    address,
    accountNumber: takeAccountNumber(state),
    sequence: 0n,
    ...(module && { module })
  }
  setAccount(state, account)
  return account
}
