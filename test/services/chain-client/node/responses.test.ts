import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { ValidatorAccumulatedCommission } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { ContinuousVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { createRpcNode } from '../../../../services/chain-client/node/index.ts'
import { systemClock } from '../../../../services/clock.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { forward, json, serve } from '../../../helpers/local-server.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../../helpers/rewriting-node.ts'
import { t as root, type Test, test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'

const network = await startNetwork(root)
const address = network.addresses.development
network.control.pause()
/** The only transaction in the newest block. */
const hash = await network.control.send()
network.control.produceBlocks(1)
const { height } = network.chain

function nodeAt(t: Test, url: string) {
  const node = createRpcNode({ url, timeoutMs: 600_000, clock: systemClock })
  t.teardown(() => node.close())
  return node
}

/** Connects to the network through a node that changes responses. */
const nodeOf = async (t: Test, rewrite: Rewrite, path = '') =>
  nodeAt(t, (await startRewritingNode(t, network.urls.rpc, rewrite)) + path)

const only =
  (wanted: string, change: (result: RpcResult) => RpcResult): Rewrite =>
  (method, result) =>
    method === wanted ? change(result) : undefined

/** Modifies the application's response to an ABCI query. */
const inResponse = (change: object) =>
  only('abci_query', ({ response }) => ({ response: { ...(response as object), ...change } }))

/** An application's response with an encoded value. */
const encoded = (value: Uint8Array) => ({ code: 0, value: Buffer.from(value).toString('base64') })

const SIMULATION = { messages: [], publicKey: wallet.publicKey, sequence: 0 }

const unavailable = { name: 'NodeUnavailableError' }

test('accepts numeric or unlimited block limits', async t => {
  const limits = async (block: object) => {
    const changed = only('consensus_params', () => ({ consensus_params: { block } }))
    return (await nodeOf(t, changed)).blockLimits()
  }
  const bytes = 22_020_096
  const max_bytes = String(bytes)
  t.same(await limits({ max_gas: '40000000', max_bytes }), { gas: 40_000_000, bytes })
  for (const max_gas of ['-1', '0']) t.same(await limits({ max_gas, max_bytes }), { gas: undefined, bytes })
  for (const max_gas of ['', '1.5', null, 5]) await t.rejects(limits({ max_gas, max_bytes }), unavailable)
  await t.rejects(limits({ max_gas: '-1' }), unavailable, 'a missing limit does not mean unlimited')
})

test('rejects a status without the earliest height or the sync flag', async t => {
  const status = async (change: object) => {
    const changed = only('status', ({ sync_info, ...rest }) => {
      return { ...rest, sync_info: { ...(sync_info as object), ...change } }
    })
    return (await nodeOf(t, changed)).status()
  }
  for (const change of [{ earliest_block_height: undefined }, { catching_up: undefined }])
    await t.rejects(status(change), unavailable, Object.keys(change).join())
  t.match(await status({}), { height: Number })
})

test('reads base and vesting accounts, and rejects unreadable ones', async t => {
  const account = async (change: object) => (await nodeOf(t, inResponse(change))).account(address)
  const accountOf = (typeUrl: string, value: Uint8Array, change: object = {}) => {
    const any = Any.fromPartial({ typeUrl, value })
    const response = QueryAccountResponse.encode(QueryAccountResponse.fromPartial({ account: any })).finish()
    return account({ ...encoded(response), ...change })
  }
  const { typeUrl, encode, fromPartial } = BaseAccount
  const { typeUrl: vestingUrl } = ContinuousVestingAccount
  const baseAccount = { address: 'service1a', accountNumber: 2n ** 60n, sequence: 9n }
  const vesting = ContinuousVestingAccount.fromPartial({ baseVestingAccount: { baseAccount } })
  const base = encode(fromPartial(baseAccount)).finish()
  const found = { accountNumber: 2n ** 60n, sequence: 9, height: Number }
  t.match(await accountOf(typeUrl, base), found)
  t.match(await accountOf(vestingUrl, ContinuousVestingAccount.encode(vesting).finish()), found)
  const stranger = { typeUrl: '/ethermint.types.v1.EthAccount' }
  t.same(await accountOf(stranger.typeUrl, new Uint8Array()), stranger, 'an unknown type')

  const large = encode(fromPartial({ ...baseAccount, sequence: 2n ** 53n })).finish()
  await t.rejects(accountOf(typeUrl, large), unavailable, 'beyond 2^53 − 1')
  await t.rejects(accountOf(vestingUrl, new Uint8Array()), unavailable, 'without a base account')
  for (const wrong of ['0', 'high', null])
    await t.rejects(accountOf(typeUrl, base, { height: wrong }), unavailable, `height ${wrong}`)
  for (const change of [{ value: '' }, { value: '////' }, { log: 5 }])
    await t.rejects(account(change), unavailable, JSON.stringify(change))
})

test('rejects a balance that is not digits in the requested denomination', async t => {
  const balance = async (change: object) => (await nodeOf(t, inResponse(change))).balance(address, 'uservice')
  const coin = (amount: string, denom = 'uservice') =>
    encoded(QueryBalanceResponse.encode({ balance: { denom, amount } }).finish())
  t.equal(await balance(coin('7')), 7n)
  for (const wrong of [coin('-7'), coin(''), coin('7', 'other'), { value: '' }, { value: '////' }])
    await t.rejects(balance(wrong), unavailable, JSON.stringify(wrong))
})

test('reads the prices of a fee market or, if there is none, of the node', async t => {
  const { encode, fromPartial } = ConfigResponse
  const own = encoded(encode(fromPartial({ minimumGasPrice: '0.1unit,0.2ibc/A,' })).finish())
  const commission = [{ denom: 'unit', amount: '25000000000000000' }]
  const market = encoded(ValidatorAccumulatedCommission.encode({ commission }).finish())
  for (const [changed, expected] of [
    [
      { code: 6, log: 'unknown query path' },
      { prices: [{ denom: 'unit', amount: '0.1' }, {}], areAll: true }
    ],
    [market, { prices: [{ denom: 'unit', amount: '0.025000000000000000' }], areAll: false }]
  ] as const) {
    const node = await nodeOf(t, (_method, _result, { path }) => {
      if (!/Config$|GasPrices$/.test(String(path))) return undefined
      return { response: { height: '5', ...(String(path).endsWith('Config') ? own : changed) } }
    })
    t.match(await node.requiredPrices(), expected)
  }
})

test('treats a simulation without valid gas as unavailable', async t => {
  const simulate = async (change: object) => (await nodeOf(t, inResponse(change))).simulate(SIMULATION)
  const used = (gasUsed: bigint) => {
    const response = SimulateResponse.fromPartial({ gasInfo: { gasWanted: 0n, gasUsed } })
    return encoded(SimulateResponse.encode(response).finish())
  }
  t.match(await simulate(used(7n)), { status: 'passed', gasUsed: 7 })
  t.match(await simulate({ code: 6, log: 'no' }), { status: 'failed', code: 6, log: 'no' })
  const gasless = [used(0n), used(2n ** 63n), { code: 0, value: '' }, { code: 0, value: '////' }]
  for (const change of [...gasless, { code: 6, log: { not: 'a text' } }])
    t.match(await simulate(change), { status: 'unavailable' }, JSON.stringify(change))
})

test('treats a broadcast error as unusable unless it is about the transaction', async t => {
  const bytes = new Uint8Array([1])
  const broadcast = async (data: string) => {
    const error = { code: -32603, message: 'Internal error', data }
    const { url } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
    return nodeAt(t, url).broadcast(bytes)
  }
  t.match(await broadcast('tx already exists in cache'), { status: 'known' })
  for (const log of ['Tx too large. Max size is 1, but got 2', 'tx size is too big: 2, max: 1'])
    t.match(await broadcast(log), { status: 'refused', code: 21, codespace: 'sdk', log: new RegExp(log) })
  const full = 'mempool is full: number of txs 5000'
  t.match(await broadcast(full), { status: 'unavailable', reason: new RegExp(full) })

  const checked = async (change: object) => {
    const changed = only('broadcast_tx_sync', result => ({ ...result, ...change }))
    return (await nodeOf(t, changed)).broadcast(bytes)
  }
  const bare = { status: 'refused', code: 5, codespace: '', log: '' } as const
  t.strictSame(await checked({ code: 5, codespace: undefined, log: undefined }), bare)
  for (const change of [{ code: 'x' }, { code: 5, log: 7 }, { code: 5, codespace: 'x'.repeat(1000) }])
    t.match(await checked(change), { status: 'unavailable' }, JSON.stringify(change))
})

test('keeps a transaction’s log in full, and shortens errors that are only logged', async t => {
  const log = `message index: 0: ${'x'.repeat(500_000)}: unauthorized`
  const failed = { code: 4, codespace: 'sdk', log }
  const node = await nodeOf(t, (method, result) => {
    if (method === 'abci_query') return { response: { ...(result['response'] as object), ...failed } }
    if (method === 'broadcast_tx_sync') return { ...result, ...failed }
    if (method !== 'block_results') return undefined
    return { ...result, txs_results: (result['txs_results'] as object[]).map(each => ({ ...each, log })) }
  })
  t.match(await node.simulate(SIMULATION), { status: 'failed', log })
  t.match(await node.broadcast(new Uint8Array([1])), { status: 'refused', log })
  await t.rejects(node.balance(address, 'unit'), { message: /^.{0,200}x+ … \d+ characters … x+/ })
  t.match(await node.block(height), { transactions: [{ log }] })
})

/** Events from other programs may have any shape. */
const oddAttributes = [{ key: '', value: null }, { value: 'v' }]
const readAttributes = ['', 'v'].map(value => ({ key: '', value }))

/** Fields of a result that lack something or are unusual, and how they are read. */
const UNUSUAL: [field: string, value: unknown, read: object][] = [
  ['code', 0, { hash, code: 0, gasUsed: BigInt }],
  ['log', undefined, { log: '' }],
  ['codespace', undefined, { codespace: '' }],
  // Missing gas is not 0. Nodes report the gas limit 2^64 − 1 as −1.
  ['gas_used', undefined, { gasUsed: undefined }],
  ['gas_wanted', '-1', { gasWanted: -1n }],
  ['data', null, { data: new Uint8Array() }],
  ['events', null, { events: [] }],
  ['events', [{ type: 'x', attributes: oddAttributes }], { events: [{ attributes: readAttributes }] }],
  ['events', [{ attributes: null }], { events: [{ type: '', attributes: [] }] }]
]

const UNREADABLE = [
  { code: '0' },
  { code: undefined },
  { data: '%' },
  { log: 1 },
  { gas_used: 'much' },
  // Out-of-range numbers wrap around in the hash, so their hash equals that of a number within the range.
  { code: 2 ** 32 },
  { gas_used: String(2n ** 64n) },
  { events: [{ type: 5, attributes: [] }] },
  { events: [{ type: 'x', attributes: [{ key: 'k', value: 1 }] }] }
]

const blockOf = async (t: Test, method: string, change: (result: RpcResult) => RpcResult) =>
  (await nodeOf(t, only(method, change))).block(height)

type Found = { header: object; data: object }
const changedBlock = (t: Test, change: (block: Found) => object) =>
  blockOf(t, 'block', found => ({ ...found, block: change(found['block'] as Found) }))

test('rejects a block without one readable result per transaction', async t => {
  const withResult = (change: object) =>
    blockOf(t, 'block_results', results => {
      const [result] = results['txs_results'] as object[]
      return { ...results, txs_results: [{ ...result, ...change }] }
    })
  for (const [field, value, read] of UNUSUAL)
    t.match(await withResult({ [field]: value }), { height, transactions: [read] }, field)
  for (const change of UNREADABLE) await t.rejects(withResult(change), unavailable, JSON.stringify(change))

  const later = { height: String(height + 1) }
  for (const [change, name] of [
    [{ txs_results: [] }, 'ResultsUnreadableError'],
    [{ txs_results: null }, 'ResultsUnreadableError'],
    [later, 'NodeUnavailableError']
  ] as const) {
    const block = blockOf(t, 'block_results', results => ({ ...results, ...change }))
    await t.rejects(block, { name })
  }
  const another = changedBlock(t, block => ({ ...block, header: { ...block.header, ...later } }))
  await t.rejects(another, unavailable, 'a block at another height')
  for (const text of ['AA', 'AA==AAAA', 'AA A', 5]) {
    const unreadable = changedBlock(t, block => ({ ...block, data: { txs: [text] } }))
    await t.rejects(unreadable, unavailable, `not base64: ${text}`)
  }
})

test('rejects a block whose header or transactions do not match its hashes', async t => {
  t.match(await changedBlock(t, block => block), { height })
  const others = changedBlock(t, block => ({ ...block, data: { txs: ['AAAA'] } }))
  await t.rejects(others, /the transactions of block \d+ do not match the data hash in its header/)
  for (const field of [
    { chain_id: 'another' },
    { time: '2026-01-01T00:00:00.000000001Z' },
    { last_results_hash: 'AB' },
    { last_block_id: { hash: 'AB'.repeat(32), parts: { total: 1, hash: 'AB' } } }
  ]) {
    const changed = changedBlock(t, block => ({ ...block, header: { ...block.header, ...field } }))
    await t.rejects(changed, /the header of block \d+ does not match the block hash/, JSON.stringify(field))
  }
})

test('reports results that the node cannot read or has not stored', async t => {
  for (const [data, name] of [
    ['proto: illegal wireType 7', 'ResultsUnreadableError'],
    [`could not find results for height #${height}`, 'HistoryPrunedError'],
    ['node is not persisting abci responses', 'HistoryPrunedError'],
    ['node is not persisting finalize block responses', 'HistoryPrunedError']
  ] as const) {
    const error = { code: -32603, message: 'Internal error', data }
    const { url } = await serve(t, async (request, response) => {
      const { id, method } = JSON.parse(request.body)
      if (method === 'block_results') return json(response, { jsonrpc: '2.0', id, error })
      const { body } = await forward(network.urls.rpc, request)
      // Results of a block that is several blocks old do not come late.
      if (method === 'status') Object(body.result).sync_info.latest_block_height = String(height + 20)
      json(response, body)
    })
    await t.rejects(nodeAt(t, url).block(height), { name }, data)
  }
})

test('detects a missing block even if the URL contains words from error messages', async t => {
  const node = await nodeOf(t, () => undefined, '/blockchain/current/exists')
  for (const later of [height + 1, 1_000_000]) t.equal(await node.block(later), undefined)
})

test('reads an account as it was after a block', async t => {
  const node = await nodeOf(t, () => undefined)
  for (const at of [height - 1, height]) t.match(await node.account(address, at), { height: at }, String(at))
})
