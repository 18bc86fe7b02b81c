import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { addressProblem, moduleAddress } from '../../chain/addresses.ts'
import { type AppState, GenesisError } from '../../chain/genesis.ts'
import type { State } from '../../chain/state/state.ts'
import { type Account, createAccount, getAccount, setAccount, takeAccountNumber } from './accounts.ts'
import { toStored } from './public-keys.ts'

export const feeCollector = 'fee_collector'

type GenesisAccount = NonNullable<AppState['auth']['accounts']>[number]

function readAccount(account: GenesisAccount, prefix: string): Account {
  const isModule = 'base_account' in account
  const { address, account_number, sequence, pub_key } = isModule ? account.base_account : account
  const problem = addressProblem(address, prefix)
  if (problem) throw new GenesisError(`${address} is not an address of this chain: ${problem}`)
  const value = pub_key && PubKey.encode({ key: Buffer.from(pub_key.key, 'base64') }).finish()
  return {
    address,
    accountNumber: BigInt(account_number ?? 0),
    sequence: BigInt(sequence ?? 0),
    ...(value && { pubKey: toStored({ typeUrl: PubKey.typeUrl, value }) }),
    ...(isModule && { module: { name: account.name, permissions: account.permissions ?? [] } })
  }
}

/** As in the SDK: of accounts with the same number, all but the first get the lowest free numbers. */
function withDistinctNumbers(accounts: readonly Account[]): Account[] {
  const taken = new Set(accounts.map(({ accountNumber }) => accountNumber))
  const seen = new Set<bigint>()
  let free = 0n
  const repaired = accounts.map(account => {
    if (seen.has(account.accountNumber)) {
      while (taken.has(free)) free++
      taken.add(free)
      return { ...account, accountNumber: free }
    }
    seen.add(account.accountNumber)
    return account
  })
  return repaired.sort((a, b) => (a.accountNumber < b.accountNumber ? -1 : 1))
}

/** Writes the accounts of `app_state.auth` and the fee collector's. */
export function initAuthGenesis(state: State, { auth }: AppState, prefix: string): void {
  const accounts = auth.accounts?.map(account => readAccount(account, prefix)) ?? []
  let last = -1n
  for (const account of withDistinctNumbers(accounts)) {
    if (getAccount(state, account.address)) throw new GenesisError(`${account.address} has two accounts`)
    while (last < account.accountNumber) last = takeAccountNumber(state)
    setAccount(state, account)
  }
  const collector = moduleAddress(feeCollector, prefix)
  if (!getAccount(state, collector)) createAccount(state, collector, { name: feeCollector, permissions: [] })
}
