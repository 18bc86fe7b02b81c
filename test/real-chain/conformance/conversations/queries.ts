import { toHex } from '@cosmjs/encoding'
import { QueryAccountRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { account, DENOM, OTHER_CHAIN_ADDRESS, UNKNOWN_ADDRESS } from '../accounts.ts'
import { atOneHeight, type Conversation, type Note } from '../conversation.ts'
import type { Network } from '../network.ts'

const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'

const accountRequest = (address: string) => QueryAccountRequest.encode({ address }).finish()

/** Queries of accounts and balances. The accounts that are asked about do not change meanwhile. */
export const queries: Conversation = {
  name: 'queries',
  async play(network, note) {
    await atOneHeight(network, note, async (noteHere, height) => {
      await current(network, noteHere)
      await atHeights(network, noteHere, height)
    })
  }
}

async function current(network: Network, note: Note): Promise<void> {
  const ask = async (step: string, path: string, request: Uint8Array) =>
    note(step, await network.call('abci_query', { path, data: toHex(request) }))
  const { address } = account('penniless')

  await ask('an account', ACCOUNT, accountRequest(address))
  await ask('an account with a key', ACCOUNT, accountRequest(account('simulations').address))
  await ask('an unknown account', ACCOUNT, accountRequest(UNKNOWN_ADDRESS))
  await ask('an account of another chain', ACCOUNT, accountRequest(OTHER_CHAIN_ADDRESS))
  const balance = (of: string, denom: string) => QueryBalanceRequest.encode({ address: of, denom }).finish()
  await ask('a balance', BALANCE, balance(address, DENOM))
  await ask('a balance of nothing', BALANCE, balance(address, 'unothing'))
  await ask('a balance of an unknown account', BALANCE, balance(UNKNOWN_ADDRESS, 'unothing'))
  await ask('an unknown path', '/nothing.Query/Nothing', new Uint8Array())
}

async function atHeights(network: Network, note: Note, height: number): Promise<void> {
  const data = toHex(accountRequest(account('penniless').address))
  const ask = async (step: string, at: number | bigint) =>
    note(step, await network.call('abci_query', { path: ACCOUNT, data, height: String(at) }))
  await ask('at height 1', 1)
  await ask('at the newest height', height)
  await ask('one block before', height - 1)
  await ask('at the next height', height + 1)
  await ask('far in the future', 1_000_000_000)
}
