import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { addressProblem, moduleAddress } from '../../chain/addresses.ts'
import { GenesisNode } from '../../chain/genesis-node.ts'
import type { State } from '../../chain/state/state.ts'
import { type Account, createAccount, getAccount, setAccount, takeAccountNumber } from './accounts.ts'
import { SECP256K1, toStored } from './public-keys.ts'

export const feeCollector = 'fee_collector'

function readAccount(node: GenesisNode, prefix: string): Account {
  const type = node.field('@type')
  if (type.string() === '/cosmos.auth.v1beta1.ModuleAccount') {
    const permissions = node.field('permissions').items()
    const module = { name: node.field('name').string(), permissions: permissions.map(item => item.string()) }
    return { ...readBaseAccount(node.field('base_account'), prefix), module }
  }
  if (type.string() === '/cosmos.auth.v1beta1.BaseAccount') return readBaseAccount(node, prefix)
  return type.fail(`is ${type.string()}, but this chain knows only BaseAccount and ModuleAccount`)
}

function readBaseAccount(node: GenesisNode, prefix: string): Account {
  const address = node.field('address')
  const problem = addressProblem(address.string(), prefix)
  if (problem) address.fail(`is not an address of this chain: ${problem}`)
  const pubKey = node.field('pub_key')
  return {
    address: address.string(),
    accountNumber: node.field('account_number').uint(0n),
    sequence: node.field('sequence').uint(0n),
    ...(!pubKey.isAbsent && { pubKey: readPublicKey(pubKey) })
  }
}

function readPublicKey(node: GenesisNode): NonNullable<Account['pubKey']> {
  const type = node.field('@type')
  if (type.string() !== SECP256K1) type.fail(`is ${type.string()}, but this chain knows only secp256k1 keys`)
  const key = Buffer.from(node.field('key').string(), 'base64')
  return toStored({ typeUrl: SECP256K1, value: PubKey.encode({ key }).finish() })
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
export function initAuthGenesis(state: State, appState: Record<string, unknown>, prefix: string): void {
  const auth = new GenesisNode(appState, 'app_state').field('auth')
  const accounts = new Map<string, Account>()
  for (const node of auth.field('accounts').items()) {
    const account = readAccount(node, prefix)
    if (accounts.has(account.address)) node.fail(`repeats the account ${account.address}`)
    accounts.set(account.address, account)
  }
  let last = -1n
  for (const account of withDistinctNumbers([...accounts.values()])) {
    while (last < account.accountNumber) last = takeAccountNumber(state)
    setAccount(state, account)
  }
  const collector = moduleAddress(feeCollector, prefix)
  if (!getAccount(state, collector)) createAccount(state, collector, { name: feeCollector, permissions: [] })
}
