import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { ContinuousVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainNode, createChainClient } from '../../../../services/chain-client/index.ts'
import { createRpcNode } from '../../../../services/chain-client/node/index.ts'
import { systemClock } from '../../../../services/clock.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../../helpers/rewriting-node.ts'
import { t as root, type Test, test } from '../../../helpers/tap.ts'
import { until } from '../../../helpers/until.ts'
import { wallet } from '../../../helpers/wallet.ts'

const network = await startNetwork(root, { control: true })
const address = network.addresses.development
network.control.pause()
/** The only transaction in the newest block. */
const hash = await network.control.send({ from: 'other' })
network.control.produceBlocks(1)
const { height } = network.chain

async function clientOf(t: Test, rewrite: Rewrite, path = '') {
  const url = await startRewritingNode(t, network.urls.rpc, rewrite)
  const client = createChainClient({ nodes: [`${url}${path}`], timeoutMs: 2000 })
  t.teardown(() => client.close())
  return client
}

const only =
  (wanted: string, change: (result: RpcResult) => RpcResult): Rewrite =>
  (method, result) =>
    method === wanted ? change(result) : undefined

/** Modifies the application's response to an ABCI query. */
const inResponse = (change: object) =>
  only('abci_query', ({ response }) => ({ response: { ...(response as object), ...change } }))

const gasLimitOf = (max_gas: unknown) =>
  only('consensus_params', () => ({ consensus_params: { block: { max_gas, max_bytes: '22020096' } } }))

const SIMULATION = { messages: [], publicKey: wallet.publicKey, sequence: 0 }

const unavailable = { name: 'NodeUnavailableError' }

test('accepts a numeric or unlimited block gas limit', async t => {
  const limit = async (rewrite: Rewrite) => {
    const client = await clientOf(t, rewrite)
    const { agreed } = await client.crossCheck({
      question: 'blockLimits',
      ask: async node => (await node.blockLimits()).gas ?? 'none',
      agree: (one, other) => one === other
    })
    return agreed?.[0]
  }
  t.equal(await limit(gasLimitOf('40000000')), 40_000_000)
  t.equal(await limit(gasLimitOf('-1')), 'none')
  t.equal(await limit(gasLimitOf('0')), 'none')
  for (const nonsense of ['', 'many', '1.5', null, 5]) t.equal(await limit(gasLimitOf(nonsense)), undefined)
  t.equal(await limit(only('consensus_params', () => ({}))), undefined)
  const withoutBytes = only('consensus_params', () => ({ consensus_params: { block: { max_gas: '-1' } } }))
  t.equal(await limit(withoutBytes), undefined, 'a missing limit does not mean unlimited')
})

test('limits the size of a block response by the chain’s parameters', async t => {
  const client = await clientOf(t, (method, result) => {
    if (method === 'consensus_params')
      return { consensus_params: { block: { max_gas: '-1', max_bytes: '9' } } }
    return method === 'block' ? { ...result, padding: 'x'.repeat(1_100_000) } : undefined
  })
  const isTooLarge = () =>
    client.block(height).then(
      () => false,
      error => /is larger than/.test(error.message)
    )
  await until(isTooLarge, 'the parameters are read')
})

test('rejects a status without the earliest height or the sync flag', async t => {
  const statusWith = (change: object) =>
    only('status', ({ sync_info, ...rest }) => ({
      ...rest,
      sync_info: { ...(sync_info as object), ...change }
    }))
  for (const change of [{ earliest_block_height: undefined }, { catching_up: undefined }]) {
    const client = await clientOf(t, statusWith(change))
    await t.rejects(client.status(), unavailable, Object.keys(change).join())
  }
  const client = await clientOf(t, statusWith({}))
  t.match(await client.status(), { height: Number })
})

test('rejects an account response without a height or a readable account', async t => {
  async function account(change: object) {
    const client = await clientOf(t, inResponse(change))
    const ask = (node: ChainNode) => node.account(address)
    return (await client.crossCheck({ question: 'account', ask, agree: () => true })).agreed?.[0]
  }
  t.match(await account({}), { sequence: 0, height: Number })
  for (const height of ['0', '', 'high', null]) t.equal(await account({ height }), undefined, `${height}`)
  t.equal(await account({ value: '' }), undefined)
  t.equal(await account({ value: '////' }), undefined)
  t.equal(await account({ log: 5 }), undefined)
})

test('reads base and vesting accounts, and rejects unreadable ones', async t => {
  const account = async (kind: { typeUrl: string }, encoded: Uint8Array) => {
    const any = Any.fromPartial({ typeUrl: kind.typeUrl, value: encoded })
    const value = QueryAccountResponse.encode(QueryAccountResponse.fromPartial({ account: any })).finish()
    const rewrite = inResponse({ code: 0, value: Buffer.from(value).toString('base64') })
    const url = await startRewritingNode(t, network.urls.rpc, rewrite)
    const node = createRpcNode({ url, timeoutMs: 600_000, clock: systemClock })
    t.teardown(() => node.close())
    return node.account(address)
  }
  const baseAccount = { address: 'service1a', accountNumber: 2n ** 60n, sequence: 9n }
  const vesting = ContinuousVestingAccount.fromPartial({ baseVestingAccount: { baseAccount } })
  const found = { accountNumber: 2n ** 60n, sequence: 9 }
  t.match(
    await account(BaseAccount, BaseAccount.encode(BaseAccount.fromPartial(baseAccount)).finish()),
    found
  )
  t.match(await account(ContinuousVestingAccount, ContinuousVestingAccount.encode(vesting).finish()), found)

  const large = BaseAccount.fromPartial({ ...baseAccount, sequence: 2n ** 53n })
  await t.rejects(account(BaseAccount, BaseAccount.encode(large).finish()), unavailable, 'beyond 2^53 − 1')
  await t.rejects(account(ContinuousVestingAccount, new Uint8Array()), unavailable, 'without a base account')
  const stranger = { typeUrl: '/ethermint.types.v1.EthAccount' }
  t.same(await account(stranger, new Uint8Array()), stranger, 'a type that the service does not know')
})

test('rejects a balance that is not digits in the requested denomination', async t => {
  const balance = async (change: object) =>
    (await clientOf(t, inResponse(change))).balance(address, 'uservice')
  const coin = (amount: string, denom = 'uservice') => {
    const answer = QueryBalanceResponse.encode({ balance: { denom, amount } }).finish()
    return { code: 0, value: Buffer.from(answer).toString('base64') }
  }
  t.equal(await balance(coin('7')), 7n)
  for (const wrong of [coin('-7'), coin(''), coin('7', 'other'), { value: '' }, { value: '////' }]) {
    await t.rejects(balance(wrong), unavailable, JSON.stringify(wrong))
  }
})

test('treats a simulation without valid gas as unavailable', async t => {
  const simulate = async (change: object) => (await clientOf(t, inResponse(change))).simulate(SIMULATION)
  const answer = (gasUsed: bigint) => {
    const response = SimulateResponse.fromPartial({ gasInfo: { gasWanted: 0n, gasUsed } })
    return Buffer.from(SimulateResponse.encode(response).finish()).toString('base64')
  }
  t.match(await simulate({ code: 0, value: answer(7n) }), { status: 'passed', gasUsed: 7 })
  t.match(await simulate({ code: 6, log: 'no' }), { status: 'failed', code: 6, log: 'no' })
  for (const value of ['', answer(0n), answer(2n ** 63n), '////']) {
    t.match(await simulate({ code: 0, value }), { status: 'unavailable' }, value)
  }
  t.match(await simulate({ code: 6, log: { not: 'a text' } }), { status: 'unavailable' })
})

test('treats a broadcast error as unusable unless it is about the transaction', async t => {
  const broadcast = async (data: string) => {
    const error = { code: -32603, message: 'Internal error', data }
    const { url } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
    const node = createRpcNode({ url, timeoutMs: 2000, clock: systemClock })
    t.teardown(() => node.close())
    return node.broadcast(new Uint8Array([1]))
  }
  t.match(await broadcast('tx already exists in cache'), { status: 'known' })
  for (const log of ['Tx too large. Max size is 1, but got 2', 'tx size is too big: 2, max: 1'])
    t.match(await broadcast(log), { status: 'refused', code: 21, codespace: 'sdk', log: new RegExp(log) })
  const full = 'mempool is full: number of txs 5000'
  t.match(await broadcast(full), { status: 'unavailable', reason: new RegExp(full) })
  const refused = await clientOf(
    t,
    only('broadcast_tx_sync', result => ({ ...result, code: 5, codespace: undefined, log: undefined }))
  )
  const bare = { status: 'refused', code: 5, codespace: '', log: '' } as const
  t.strictSame(await refused.broadcast(new Uint8Array([1])), bare)
  for (const change of [{ code: 'x' }, { code: 5, log: 7 }, { code: 5, codespace: 'x'.repeat(1000) }]) {
    const unreadable = only('broadcast_tx_sync', result => ({ ...result, ...change }))
    const client = await clientOf(t, unreadable)
    t.match(await client.broadcast(new Uint8Array([1])), { status: 'unavailable' }, JSON.stringify(change))
  }
})

test('keeps a transaction’s log in full, and shortens errors that are only logged', async t => {
  const log = `message index: 0: ${'x'.repeat(500_000)}: unauthorized`
  const failed = { code: 4, codespace: 'sdk', log }
  const rewrite: Rewrite = (method, result) => {
    if (method === 'abci_query') return { response: { ...(result['response'] as object), ...failed } }
    if (method === 'broadcast_tx_sync') return { ...result, ...failed }
    if (method !== 'block_results') return undefined
    return { ...result, txs_results: (result['txs_results'] as object[]).map(each => ({ ...each, log })) }
  }
  const client = await clientOf(t, rewrite)
  t.match(await client.simulate(SIMULATION), { status: 'failed', log })
  t.match(await client.broadcast(new Uint8Array([1])), { status: 'refused', log })
  await t.rejects(client.balance(address, 'unit'), {
    message: /^.{0,200}x+ … \d+ characters … x+/
  })
  t.match(await client.block(height), { transactions: [{ log }] })
})

test('rejects a block without one readable result per transaction', async t => {
  const blockOf = async (rewrite: Rewrite) => (await clientOf(t, rewrite)).block(height)
  const withResult = (change: object) =>
    only('block_results', results => {
      const [result] = results['txs_results'] as object[]
      return { ...results, txs_results: [{ ...result, ...change }] }
    })
  const event = (attribute: object) => ({ events: [{ type: 'x', attributes: [attribute] }] })

  t.match(await blockOf(withResult({})), { height, transactions: [{ hash, code: 0, gasUsed: BigInt }] })
  const empty = await blockOf(withResult({ log: undefined, codespace: undefined, data: undefined }))
  t.match(empty, { transactions: [{ hash, log: '', codespace: '', data: new Uint8Array() }] })
  const anything = [
    { type: 'x', attributes: [{ key: '', value: null }, { value: 'v' }] },
    { type: 'y', attributes: null },
    { attributes: [] }
  ]
  const blank = { key: '', value: '' }
  const events = [{ attributes: [blank, { ...blank, value: 'v' }] }, { attributes: [] }, { attributes: [] }]
  const read = await blockOf(withResult({ events: anything }))
  t.match(read, { transactions: [{ events }] }, 'events from other programs may have any shape')
  t.match(
    await blockOf(withResult({ gas_used: undefined, gas_wanted: undefined })),
    { transactions: [{ gasUsed: undefined, gasWanted: undefined }] },
    'missing gas is not 0'
  )
  t.match(
    await blockOf(withResult({ gas_wanted: '-1' })),
    { transactions: [{ gasWanted: -1n }] },
    'nodes report the gas limit 2^64 − 1 as −1'
  )
  t.match(await blockOf(withResult({ events: null, data: null })), { transactions: [{ events: [] }] })
  const unreadable = [
    { code: '0' },
    { code: undefined },
    { data: '%' },
    { log: 1 },
    { codespace: [] },
    { gas_used: 'much' },
    // Out-of-range numbers wrap around in the hash, so their hash equals that of a number within the range.
    { code: 2 ** 32 },
    { gas_used: String(2n ** 64n) },
    { events: [{ type: 5, attributes: [] }] },
    event({ key: 'k', value: 1 })
  ]
  for (const change of unreadable) {
    await t.rejects(blockOf(withResult(change)), unavailable, JSON.stringify(change))
  }
  const unreadableResults = { name: 'ResultsUnreadableError' }
  const wrong: [object, { name: string }][] = [
    [{ txs_results: [] }, unreadableResults],
    [{ txs_results: null }, unreadableResults],
    [{ height: String(height + 1) }, unavailable]
  ]
  for (const [change, expected] of wrong) {
    const other = only('block_results', results => ({ ...results, ...change }))
    await t.rejects(blockOf(other), expected, JSON.stringify(change))
  }
  const anotherBlock = only('block', found => {
    const { header, ...rest } = found['block'] as { header: object }
    return { ...found, block: { ...rest, header: { ...header, height: String(height + 1) } } }
  })
  await t.rejects(blockOf(anotherBlock), unavailable, 'a block at another height')
  for (const text of ['%', 'AA', 'AA==AAAA', 'AA A', 5]) {
    const withText = only('block', found => ({
      ...found,
      block: { ...(found['block'] as object), data: { txs: [text] } }
    }))
    await t.rejects(blockOf(withText), unavailable, `not base64: ${text}`)
  }
})

test('detects a missing block even if the URL contains words from error messages', async t => {
  const client = await clientOf(t, () => undefined, '/blockchain/current/exists')
  for (const later of [height + 1, 1_000_000]) t.equal(await client.block(later), undefined)
})
