import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../../../devnet/index.ts'
import { createChainClient, safeInteger } from '../../../../services/chain-client/index.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../../helpers/rewriting-node.ts'
import { type Test, test } from '../../../helpers/tap.ts'

/** A chain client of a node that changes the `field` of what it answers to `method`. */
async function clientOf(t: Test, devnet: Devnet, rewrite: Rewrite) {
  const client = createChainClient({
    nodes: [await startRewritingNode(t, devnet.urls.rpc, rewrite)],
    timeoutMs: 2000
  })
  t.teardown(() => client.close())
  return client
}

const only =
  (wanted: string, change: (result: RpcResult) => RpcResult): Rewrite =>
  (method, result) =>
    method === wanted ? change(result) : undefined

/** Changes what the application answers to an ABCI query. */
const inResponse = (change: object) =>
  only('abci_query', ({ response }) => ({ response: { ...(response as object), ...change } }))

const gasLimitOf = (max_gas: unknown) =>
  only('consensus_params', () => ({ consensus_params: { block: { max_gas } } }))

const unavailable = { name: 'NodeUnavailableError' }

test('digits that are a safe integer are read, and nothing else', async t => {
  t.equal(safeInteger('42'), 42)
  t.equal(safeInteger(42n), 42)
  t.equal(safeInteger('9007199254740991'), Number.MAX_SAFE_INTEGER)
  for (const other of [
    '9007199254740992',
    2n ** 64n,
    '',
    ' 1',
    '1 ',
    '-1',
    -1n,
    '1.0',
    '1e3',
    '0x1',
    'NaN',
    undefined
  ]) {
    t.equal(safeInteger(other), undefined, String(other))
  }
})

test('the gas limit of a block is a number, or that there is none', async t => {
  const devnet = await startNetwork(t)
  const limit = async (max_gas: unknown) => (await clientOf(t, devnet, gasLimitOf(max_gas))).blockGasLimit()
  t.equal(await limit('40000000'), 40_000_000)
  t.equal(await limit('-1'), undefined)
  t.equal(await limit('0'), undefined)
  for (const nonsense of ['', 'many', '1.5', null, 5]) await t.rejects(limit(nonsense), unavailable)
  const empty = await clientOf(
    t,
    devnet,
    only('consensus_params', () => ({}))
  )
  await t.rejects(empty.blockGasLimit(), unavailable)
})

test('an account needs the height as of which it holds', async t => {
  const devnet = await startNetwork(t)
  const account = async (change: object) =>
    (await clientOf(t, devnet, inResponse(change))).account(devnet.addresses.development)
  t.match(await account({}), { sequence: 0, height: Number })
  for (const height of ['0', '', 'high', null]) await t.rejects(account({ height }), unavailable, `${height}`)
  await t.rejects(account({ value: '' }), unavailable)
  await t.rejects(account({ value: '////' }), unavailable)
  await t.rejects(account({ log: 5 }), unavailable)
})

test('a simulation needs its gas', async t => {
  const devnet = await startNetwork(t)
  const simulate = async (change: object) =>
    (await clientOf(t, devnet, inResponse(change))).simulate(TxRaw.encode(TxRaw.fromPartial({})).finish())
  const answer = (gasUsed: bigint) => {
    const gasInfo = { gasWanted: 0n, gasUsed }
    return Buffer.from(SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo })).finish()).toString(
      'base64'
    )
  }
  t.match(await simulate({ code: 0, value: answer(7n) }), { status: 'passed', gasUsed: 7 })
  t.match(await simulate({ code: 6, log: 'no' }), { status: 'failed', code: 6, log: 'no' })
  for (const value of ['', answer(0n), answer(2n ** 63n), '////']) {
    t.match(await simulate({ code: 0, value }), { status: 'unavailable' }, value)
  }
  t.match(await simulate({ code: 6, log: { not: 'a text' } }), { status: 'unavailable' })
})

test('an answer to a broadcast without a readable code or text says nothing', async t => {
  const devnet = await startNetwork(t)
  for (const change of [{ code: 'x' }, { code: 5, log: 7 }, { code: 5, codespace: {} }]) {
    const client = await clientOf(
      t,
      devnet,
      only('broadcast_tx_sync', result => ({ ...result, ...change }))
    )
    t.match(await client.broadcast(new Uint8Array([1])), { status: 'unavailable' }, JSON.stringify(change))
  }
})

test('of a text as large as an answer only both ends are kept', async t => {
  const devnet = await startNetwork(t, { control: true })
  const log = `message index: 0: ${'x'.repeat(500_000)}: unauthorized`
  const kept = /^message index: 0: x+ … 49\d+ characters … x+: unauthorized$/
  const failed = { code: 4, codespace: 'sdk', log }
  const client = await clientOf(t, devnet, (method, result) => {
    if (method === 'abci_query') return { response: { ...(result['response'] as object), ...failed } }
    if (method === 'broadcast_tx_sync') return { ...result, ...failed }
    if (method !== 'block_results') return undefined
    return { ...result, txs_results: (result['txs_results'] as object[]).map(each => ({ ...each, log })) }
  })
  const bytes = TxRaw.encode(TxRaw.fromPartial({})).finish()
  t.match(await client.simulate(bytes), { status: 'failed', log: kept })
  t.match(await client.broadcast(bytes), { status: 'refused', log: kept })
  await t.rejects(client.account(devnet.addresses.development), {
    message: /^.{0,200}x+ … \d+ characters … x+/
  })
  devnet.control.pause()
  await devnet.control.send({ from: 'other' })
  devnet.control.produceBlocks(1)
  t.match(await client.block(devnet.chain.height), { transactions: [{ log: kept }] })
})

test('a name that no chain has is not read', async t => {
  const devnet = await startNetwork(t)
  const name = 'x'.repeat(1000)
  const client = await clientOf(t, devnet, (method, result) => {
    if (method === 'broadcast_tx_sync') return { ...result, code: 5, codespace: name }
    if (method !== 'status') return undefined
    return { ...result, node_info: { ...(result['node_info'] as object), network: name } }
  })
  await t.rejects(client.status(), unavailable)
  t.match(await client.broadcast(new Uint8Array([1])), { status: 'unavailable' })
})

test('a block without a hash of the right length is not read', async t => {
  const devnet = await startNetwork(t)
  for (const hash of ['', '99'.repeat(15), '99'.repeat(33)]) {
    const withHash = only('block', block => ({
      ...block,
      block_id: { ...(block['block_id'] as object), hash }
    }))
    await t.rejects((await clientOf(t, devnet, withHash)).block(1), unavailable, hash)
  }
})

test('a block whose transactions cannot be read is not read', async t => {
  const devnet = await startNetwork(t, { control: true })
  devnet.control.pause()
  await devnet.control.send({ from: 'other' })
  devnet.control.produceBlocks(1)
  const { height } = devnet.chain
  for (const text of ['%', 'AA', 'AA==AAAA', 'AA A', 5]) {
    const withText = only('block', found => ({
      ...found,
      block: { ...(found['block'] as object), data: { txs: [text] } }
    }))
    await t.rejects((await clientOf(t, devnet, withText)).block(height), unavailable, String(text))
  }
})

test('a block without one readable result for each transaction is not read', async t => {
  const devnet = await startNetwork(t, { control: true })
  devnet.control.pause()
  const hash = await devnet.control.send({ from: 'other' })
  devnet.control.produceBlocks(1)
  const { height } = devnet.chain
  const blockOf = async (rewrite: Rewrite) => (await clientOf(t, devnet, rewrite)).block(height)
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
    { type: '' }
  ]
  t.match(
    await blockOf(withResult({ events: anything })),
    {
      transactions: [
        {
          events: [
            {
              attributes: [
                { key: '', value: '' },
                { key: '', value: 'v' }
              ]
            },
            { attributes: [] },
            { attributes: [] }
          ]
        }
      ]
    },
    'events of other programs, whatever they are'
  )
  t.match(await blockOf(withResult({ events: null, data: null })), { transactions: [{ events: [] }] })
  const unreadable = [
    { code: '0' },
    { data: '%' },
    { log: 1 },
    { codespace: [] },
    { gas_used: 'much' },
    { events: [{ type: 5, attributes: [] }] },
    event({ key: 'k', value: 1 })
  ]
  for (const change of unreadable) {
    await t.rejects(blockOf(withResult(change)), unavailable, JSON.stringify(change))
  }
  const wrong = [{ txs_results: [] }, { txs_results: null }, { height: String(height + 1) }]
  for (const change of wrong) {
    const other = only('block_results', results => ({ ...results, ...change }))
    await t.rejects(blockOf(other), unavailable, JSON.stringify(change))
  }
  const anotherBlock = only('block', found => {
    const { header, ...rest } = found['block'] as { header: object }
    return { ...found, block: { ...rest, header: { ...header, height: String(height + 1) } } }
  })
  await t.rejects(blockOf(anotherBlock), unavailable, 'a block of another height')
  const client = await clientOf(t, devnet, () => undefined)
  t.equal(await client.block(height + 1), undefined, 'a block that is not there yet')
})
