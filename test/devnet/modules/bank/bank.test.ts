import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QueryDenomOwnersRequest,
  QueryDenomOwnersResponse,
  QueryDenomsMetadataRequest,
  QueryDenomsMetadataResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { moduleAddress } from '../../../../devnet/chain/addresses.ts'
import { createChain } from '../../../../devnet/chain/index.ts'
import { getAccount } from '../../../../devnet/modules/auth/accounts.ts'
import { getBalance } from '../../../../devnet/modules/bank/balances.ts'
import { balanceOf, createTestChain, DENOM, FUNDS, sendMessage, sign } from '../../../helpers/devnet/chain.ts'
import { test } from '../../../helpers/tap.ts'

const BANK = '/cosmos.bank.v1beta1.Query/'
const address = (name: string) => moduleAddress(name, 'service')
const coin = (amount: number, denom = DENOM) => ({ denom, amount: amount.toString() })

test('an address that receives coins for the first time gets the next account number', async t => {
  const { chain, alice } = await createTestChain()
  const newcomer = address('newcomer')
  const highest = 1n + 1n
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, newcomer, 5n)]))
  chain.produceBlock()
  t.match(getAccount(chain.state, newcomer), { accountNumber: highest + 1n, sequence: 0n })
  t.equal(getBalance(chain.state, newcomer, DENOM), 5n)
})

test('one multi-send pays several addresses', async t => {
  const { chain, alice, bob } = await createTestChain()
  const value = {
    inputs: [{ address: alice.address, coins: [coin(9)] }],
    outputs: [
      { address: bob.address, coins: [coin(4)] },
      { address: address('newcomer'), coins: [coin(5)] }
    ]
  }
  const typeUrl = '/cosmos.bank.v1beta1.MsgMultiSend'
  chain.submitTx(await sign(alice, 0, [{ typeUrl, value }]))
  const result = chain.produceBlock().txs[0]?.result
  t.match(result, { code: 0 })
  t.strictSame(
    result?.events.slice(7).map(({ type }) => type),
    ['message', 'coin_spent', 'message', 'coin_received', 'transfer', 'coin_received', 'transfer']
  )
  t.equal(balanceOf(chain, bob), FUNDS + 4n)
  t.equal(getBalance(chain.state, address('newcomer'), DENOM), 5n)

  const uneven = { ...value, outputs: [{ address: bob.address, coins: [coin(4)] }] }
  t.match(chain.submitTx(await sign(alice, 1, [{ typeUrl, value: uneven }])), {
    code: 4,
    codespace: 'bank',
    log: 'sum inputs != sum outputs'
  })
})

test('accounts of modules cannot receive coins by message', async t => {
  const { chain, alice } = await createTestChain()
  const collector = address('fee_collector')
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, collector, 5n)]))
  t.match(chain.produceBlock().txs[0]?.result, {
    code: 4,
    log: `failed to execute message; message index: 0: ${collector} is not allowed to receive funds: unauthorized`
  })
})

test('with SDK 0.50 a bad recipient passes CheckTx and fails in its block', async t => {
  const { chain, alice, bob } = await createTestChain({ sdk: '0.50' })
  const send = (sequence: number) => sign(alice, sequence, [sendMessage(alice.address, 'service1nobody', 5n)])
  const failure = {
    code: 7,
    codespace: 'sdk',
    log: /^failed to execute message; .*invalid to address: .*: invalid address$/
  }
  t.match(chain.submitTx(await send(1)), { code: 32 }, 'its sequence is checked')
  t.equal(chain.submitTx(await send(0)).code, 0)
  t.match(chain.produceBlock().txs[0]?.result, failure)
  t.equal(balanceOf(chain, alice), FUNDS - 2000n, 'the fee is taken')
  t.equal(getAccount(chain.state, alice.address)?.sequence, 1n, 'the sequence is used')

  const nothing = sendMessage(alice.address, bob.address, 0n)
  t.equal(chain.submitTx(await sign(alice, 1, [nothing])).code, 0)
  t.match(chain.produceBlock().txs[0]?.result, { code: 10, codespace: 'sdk' })

  const value = { inputs: [{ address: alice.address, coins: [{ denom: DENOM, amount: '9' }] }], outputs: [] }
  const multiSend = { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
  t.equal(chain.submitTx(await sign(alice, 2, [multiSend])).code, 0)
  t.match(chain.produceBlock().txs[0]?.result, { code: 3, codespace: 'bank' })
})

test('with SDK 0.50 a simulation finds a bad recipient', async t => {
  const { chain, alice } = await createTestChain({ sdk: '0.50' })
  const txBytes = await sign(alice, 0, [sendMessage(alice.address, 'service1nobody', 5n)])
  const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish()
  t.match(chain.query('/cosmos.tx.v1beta1.Service/Simulate', request, 0), {
    code: 6,
    log: /failed to execute message; message index: 0: invalid to address: /
  })
})

test('a denomination that the genesis locks cannot be sent, but can pay fees', async t => {
  const { chain: open, alice, bob } = await createTestChain()
  const genesis = JSON.parse(JSON.stringify(open.genesis))
  genesis.app_state.bank.send_enabled = [{ denom: DENOM, enabled: false }]
  const chain = createChain({ genesis }, [])
  chain.produceBlock()
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, bob.address, 5n)]))
  t.match(chain.produceBlock().txs[0]?.result, {
    code: 5,
    codespace: 'bank',
    log: `failed to execute message; message index: 0: ${DENOM} transfers are currently disabled: send transactions are disabled`
  })
})

test('balances, supply, metadata and owners are listed page by page', async t => {
  const { chain: plain, alice, bob } = await createTestChain()
  const genesis = JSON.parse(JSON.stringify(plain.genesis))
  const denoms = ['uAAA', 'uBBB', 'uCCC', DENOM]
  genesis.app_state.bank.supply = []
  genesis.app_state.bank.balances[0].coins = denoms.map(denom => coin(7, denom))
  const chain = createChain({ genesis }, [])
  chain.produceBlock()
  const query = (name: string, data: Uint8Array) => chain.query(BANK + name, data, 0)
  const page = (fields: { key?: Uint8Array; limit?: bigint; countTotal?: boolean; reverse?: boolean }) => ({
    key: new Uint8Array(),
    offset: 0n,
    limit: 0n,
    countTotal: false,
    reverse: false,
    ...fields
  })
  const balances = (pagination?: ReturnType<typeof page>) =>
    QueryAllBalancesResponse.decode(
      query(
        'AllBalances',
        QueryAllBalancesRequest.encode({
          address: alice.address,
          resolveDenom: false,
          ...(pagination && { pagination })
        }).finish()
      ).value
    )

  t.strictSame(
    balances().balances.map(({ denom }) => denom),
    denoms
  )
  t.match(balances().pagination, { total: 4n, nextKey: new Uint8Array() })
  const first = balances(page({ limit: 3n, countTotal: true }))
  t.strictSame(
    first.balances.map(({ denom }) => denom),
    denoms.slice(0, 3)
  )
  t.equal(first.pagination?.total, 4n)
  const rest = balances(page({ key: first.pagination?.nextKey ?? new Uint8Array() }))
  t.strictSame(rest.balances, [coin(7)])
  t.strictSame(balances(page({ limit: 1n, reverse: true })).balances, [coin(7)])

  const supply = QueryTotalSupplyResponse.decode(
    query('TotalSupply', QueryTotalSupplyRequest.encode({}).finish()).value
  )
  t.strictSame(supply.supply.at(-1), { denom: DENOM, amount: (FUNDS + 7n).toString() })
  const supplyOf = (denom: string) =>
    QuerySupplyOfResponse.decode(query('SupplyOf', QuerySupplyOfRequest.encode({ denom }).finish()).value)
      .amount
  t.strictSame(supplyOf('uAAA'), coin(7, 'uAAA'))
  t.strictSame(supplyOf('uZZZ'), coin(0, 'uZZZ'))

  const metadataOf = (denom: string) =>
    query('DenomMetadata', QueryDenomMetadataRequest.encode({ denom }).finish())
  t.match(QueryDenomMetadataResponse.decode(metadataOf(DENOM).value).metadata, {
    base: DENOM,
    display: 'SERVICE'
  })
  t.match(metadataOf('uAAA'), {
    code: 22,
    log: 'rpc error: code = NotFound desc = client metadata for denom uAAA: key not found'
  })
  const all = query('DenomsMetadata', QueryDenomsMetadataRequest.encode({}).finish())
  t.match(QueryDenomsMetadataResponse.decode(all.value).metadatas, [{ base: DENOM }])

  const owners = query('DenomOwners', QueryDenomOwnersRequest.encode({ denom: DENOM }).finish())
  t.strictSame(
    QueryDenomOwnersResponse.decode(owners.value)
      .denomOwners.map(owner => owner.address)
      .sort(),
    [alice.address, bob.address].sort()
  )
})
