import { toHex } from '@cosmjs/encoding'
import { QueryAccountRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryAllBalancesRequest,
  QueryBalanceRequest,
  QueryDenomMetadataRequest,
  QueryDenomsMetadataRequest,
  QuerySupplyOfRequest,
  QueryTotalSupplyRequest
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { GetTxRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { account, DENOM, OTHER_CHAIN_ADDRESS, UNKNOWN_ADDRESS } from '../accounts.ts'
import { atOneHeight, type Conversation, type Note } from '../conversation.ts'
import type { Network } from '../network.ts'

const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const BANK = '/cosmos.bank.v1beta1.Query'

const accountRequest = (address: string) => QueryAccountRequest.encode({ address }).finish()

/** ABCI queries of state. The accounts that are asked about do not change meanwhile. */
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
  await ask('an account without address', ACCOUNT, accountRequest(''))
  await ask('an account that is no address', ACCOUNT, accountRequest('nobody'))
  await ask('an account with a wrong checksum', ACCOUNT, accountRequest(`${address.slice(0, -1)}x`))
  await ask('an account of another chain', ACCOUNT, accountRequest(OTHER_CHAIN_ADDRESS))
  await ask('garbage', ACCOUNT, Uint8Array.of(255, 255, 255))
  const balance = (of: string, denom: string) => QueryBalanceRequest.encode({ address: of, denom }).finish()
  await ask('a balance', `${BANK}/Balance`, balance(address, DENOM))
  await ask('a balance of nothing', `${BANK}/Balance`, balance(address, 'unothing'))
  await ask('a balance of an unknown account', `${BANK}/Balance`, balance(UNKNOWN_ADDRESS, 'unothing'))
  await ask('a balance in a bad denomination', `${BANK}/Balance`, balance(address, '!'))
  await ask('a balance without denomination', `${BANK}/Balance`, balance(address, ''))
  await ask('a balance of nobody', `${BANK}/Balance`, balance('nobody', DENOM))
  await ask('a balance without address', `${BANK}/Balance`, balance('', DENOM))
  const all = (fields: object) =>
    QueryAllBalancesRequest.encode(QueryAllBalancesRequest.fromPartial(fields)).finish()
  await ask('all balances', `${BANK}/AllBalances`, all({ address: account('mempool').address }))
  await ask(
    'all balances, the first page',
    `${BANK}/AllBalances`,
    all({ address: account('mempool').address, pagination: { limit: 1n } })
  )
  await ask(
    'all balances, the second page',
    `${BANK}/AllBalances`,
    all({ address: account('mempool').address, pagination: { offset: 1n, limit: 1n, countTotal: true } })
  )
  await ask('all balances of nobody', `${BANK}/AllBalances`, all({ address: 'nobody' }))
  await ask('the supply', `${BANK}/TotalSupply`, QueryTotalSupplyRequest.encode({}).finish())
  await ask('the supply of one', `${BANK}/SupplyOf`, QuerySupplyOfRequest.encode({ denom: DENOM }).finish())
  await ask(
    'the supply of nothing',
    `${BANK}/SupplyOf`,
    QuerySupplyOfRequest.encode({ denom: 'unothing' }).finish()
  )
  await ask(
    'the supply of a bad denomination',
    `${BANK}/SupplyOf`,
    QuerySupplyOfRequest.encode({ denom: '!' }).finish()
  )
  const metadata = (denom: string) => QueryDenomMetadataRequest.encode({ denom }).finish()
  await ask('metadata that is missing', `${BANK}/DenomMetadata`, metadata(DENOM))
  await ask('metadata of a bad denomination', `${BANK}/DenomMetadata`, metadata('!'))
  await ask('all metadata', `${BANK}/DenomsMetadata`, QueryDenomsMetadataRequest.encode({}).finish())
  const getTx = (hash: string) => GetTxRequest.encode({ hash }).finish()
  await ask('an unknown transaction', '/cosmos.tx.v1beta1.Service/GetTx', getTx('AB'.repeat(32)))
  await ask('a transaction without hash', '/cosmos.tx.v1beta1.Service/GetTx', getTx(''))
  await ask('a transaction by no hash', '/cosmos.tx.v1beta1.Service/GetTx', getTx('xyz'))
  await ask('an unknown method', `${BANK}/Nothing`, new Uint8Array())
  await ask('an unknown service', '/nothing.Query/Nothing', new Uint8Array())
  await ask('an unknown path', '/nothing', new Uint8Array())
  await ask('no path', '', new Uint8Array())
  await ask('a path without slash', 'nothing', new Uint8Array())
  await ask('a path of the node, the store without a name', '/store', new Uint8Array())
  await ask('a path of the node, an unknown store', '/store/nothing/key', Uint8Array.of(1))
  await ask('a path of the node, a store', '/store/bank/key', Uint8Array.of(1))
  await ask('a path of the node, its version', '/app/version', new Uint8Array())
  await ask('a path of the node, nothing', '/app/nothing', new Uint8Array())
  await ask('a path of the node, its peers', '/p2p/filter/addr/1', new Uint8Array())
  await ask('the custom path', '/custom/bank', new Uint8Array())
}

async function atHeights(network: Network, note: Note, height: number): Promise<void> {
  const data = toHex(accountRequest(account('penniless').address))
  const ask = async (step: string, params: object) =>
    note(step, await network.call('abci_query', { path: ACCOUNT, data, ...params }))
  await ask('at height 1', { height: '1' })
  await ask('at height 2', { height: '2' })
  await ask('at the newest height', { height: String(height) })
  await ask('one block before', { height: String(height - 1) })
  await ask('at the next height', { height: String(height + 1) })
  await ask('far in the future', { height: '1000000000' })
  await ask('at height 0', { height: '0' })
  await ask('at a negative height', { height: '-1' })
  await ask('with a proof', { prove: true })
  await ask('with a proof at height 1', { prove: true, height: '1' })
  await ask('with a height that is a number', { height: 1 })
  await ask('with data that is no hex', { data: 'xyz' })
  await ask('with data in upper case', { data: data.toUpperCase() })
  note('in the path', await network.http(`/abci_query?path="${ACCOUNT}"&data=0x${data}`))
  note('in the path at a height', await network.http(`/abci_query?path="${ACCOUNT}"&data=0x${data}&height=1`))
  note(
    'in the path at a quoted height',
    await network.http(`/abci_query?path="${ACCOUNT}"&data=0x${data}&height="1"`)
  )
}
