import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { type Fault, startFaultProxy } from '../fault-proxy.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

type Network = Awaited<ReturnType<typeof startFaultyNetwork>>

/** A network whose engine prefers the second node, which lags by default, to the first. */
async function preferringSecond(t: Test): Promise<Network> {
  const network = await startFaultyNetwork(t, { nodes: urls => [urls.lagging, urls.proxy] })
  network.control.setLag(0)
  return network
}

test('a frozen node is passed over for a healthy one, and used again when it has caught up', async t => {
  const { control, chain, submitMany, settled, assertExactlyOnce } = await preferringSecond(t)
  await settled(await submitMany(3))
  control.setFrozen(true, 'lagging')
  await settled(await submitMany(3))
  await until(() => chain.health()[0]?.sending === false, 'the frozen node is known')
  t.match(chain.health(), [
    { reading: false, fault: /blocks behind another node/ },
    { reading: true, lag: 0 }
  ])
  await settled(await submitMany(3))
  control.setFrozen(false, 'lagging')
  await until(() => chain.health()[0]?.sending, 'the node is well again')
  await settled(await submitMany(3))
  t.strictSame(tally(await assertExactlyOnce()), { committed: 12 })
})

test('an engine whose first node has deleted what it needs starts and runs with a second', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
  const { rpc, laggingRpc: pruned = '' } = devnet.urls
  devnet.control.setLag(0)
  const before = await startEngine(t, devnet)
  t.match(await before.engine.settled((await before.submit('fee-0')).submissionId, PATIENCE_MS), {
    status: 'committed'
  })
  const waiting = await before.submit('fee-1')
  await before.stop()
  const { directory } = before
  devnet.control.produceBlocks(20)
  devnet.control.prune(devnet.chain.height - 5, 'lagging')

  const after = await startEngine(t, devnet, { directory, nodes: [pruned, rpc] })
  const { engine } = after
  t.match(await engine.settled(waiting.submissionId, PATIENCE_MS), { status: 'committed' })
  t.match(await engine.settled((await after.submit('fee-2')).submissionId, PATIENCE_MS), {
    status: 'committed'
  })
  t.strictSame(engine.health().blockers, [])
})

test('no node has the next block any more: the engine says so, and goes on with one that has', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
  const { laggingRpc: full = '' } = devnet.urls
  devnet.control.setLag(0)
  const before = await startEngine(t, devnet)
  const first = await before.submit('fee-0')
  t.match(await before.engine.settled(first.submissionId, PATIENCE_MS), { status: 'committed' })
  await before.stop()
  const { directory } = before
  devnet.control.produceBlocks(20)
  devnet.control.prune(devnet.chain.height - 5)

  const lone = await startEngine(t, devnet, { directory })
  await until(() => lone.engine.health().blockers.length > 0, 'the engine notices')
  t.match(lone.engine.health().blockers, [
    { kind: 'history-pruned', reason: /^no node has block \d+ any more; the lowest that is left is \d+$/ }
  ])
  await t.rejects(lone.submit('fee-1'), { code: 'INTAKE_CLOSED', statusCode: 503 })
  await lone.stop()

  const helped = await startEngine(t, devnet, { directory, nodes: [devnet.urls.rpc, full] })
  const { submissionId } = await helped.submit('fee-1')
  t.match(await helped.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  t.strictSame(helped.engine.health().blockers, [])
})

const DISCARDED: Record<string, (newest: number) => Fault> = {
  'had not stored them for a while': to => ({ kind: 'discarded-results', from: 1, to }),
  'does not store them (CometBFT 0.37)': () => ({
    kind: 'rpc-error',
    data: 'node is not persisting abci responses'
  }),
  'does not store them (CometBFT 0.38)': () => ({
    kind: 'rpc-error',
    data: 'node is not persisting finalize block responses'
  })
}
for (const [title, faultAt] of Object.entries(DISCARDED)) {
  test(`the results of the next block were not stored by a node that ${title}`, async t => {
    const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
    const proxy = await startFaultProxy(t, devnet.urls.rpc)
    const before = await startEngine(t, devnet)
    const first = await before.submit('fee-0')
    t.match(await before.engine.settled(first.submissionId, PATIENCE_MS), { status: 'committed' })
    await before.stop()
    const { directory } = before
    devnet.control.produceBlocks(20)
    proxy.fail('block_results', faultAt(devnet.chain.height))
    devnet.control.produceBlocks(5)

    const lone = await startEngine(t, devnet, { directory, nodes: [proxy.url] })
    await until(() => lone.engine.health().blockers.length > 0, 'the engine notices')
    t.match(lone.engine.health().blockers, [
      { kind: 'history-pruned', reason: /^no node has stored the results of block \d+$/ }
    ])
    await t.rejects(lone.submit('fee-1'), { code: 'INTAKE_CLOSED', statusCode: 503 })
    await lone.stop()

    const helped = await startEngine(t, devnet, { directory, nodes: [proxy.url, devnet.urls.rpc] })
    const { submissionId } = await helped.submit('fee-1')
    t.match(await helped.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
    t.strictSame(helped.engine.health().blockers, [])
  })
}

const METHODS = ['status', 'block', 'block_results', 'abci_query', 'consensus_params', 'broadcast_tx_sync']
const PERMANENT: Fault[] = [
  { kind: 'rpc-error', data: 'something is wrong' },
  { kind: 'endless' },
  { kind: 'bad-gateway' }
]
for (const fault of PERMANENT) {
  for (const method of METHODS) {
    test(`${method} fails at the first of two nodes: ${fault.kind}`, async t => {
      const { proxy, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
        nodes: urls => [urls.proxy, urls.rpc]
      })
      proxy.fail(method, fault)
      await settled(await submitMany(3))
      t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
    })
  }
}

test('each method fails at the first of two nodes before the start', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50 })
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  const { directory, stop: stopFirst } = await startEngine(t, devnet)
  await stopFirst()
  for (const method of [...METHODS, '*']) {
    proxy.heal()
    proxy.fail(method, { kind: 'rpc-error', data: 'something is wrong' })
    const nodes = [proxy.url, devnet.urls.rpc]
    const { engine, submit, stop } = await startEngine(t, devnet, { directory, nodes })
    const { submissionId } = await submit(`fee-${method}`)
    t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' }, method)
    await stop()
  }
})

test('JSON-RPC errors of a lone node pass', async t => {
  const { proxy, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const method of METHODS) {
    proxy.fail(method, { kind: 'rpc-error', data: 'something is wrong' }, 2)
    await settled(await submitMany(2))
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 * METHODS.length })
})

test('a lone node that needs many times longer for results than a call may take at first', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50 })
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  const { engine, submit } = await startEngine(t, devnet, { nodes: [proxy.url], timeoutMs: 100 })
  await until(() => engine.health().blockers.length === 0, 'the account is known')
  proxy.fail('block_results', { kind: 'delay', ms: 700 })
  for (const feeId of ['fee-0', 'fee-1']) {
    const { submissionId } = await submit(feeId)
    t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  }
})

test('results that come after their block are awaited without an error', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 400 })
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  const { log, entries } = keepingLog()
  proxy.fail('block_results', { kind: 'late-results', ms: 300 })
  const { engine, submit } = await startEngine(t, devnet, {
    nodes: [proxy.url],
    log,
    timeoutMs: PATIENCE_MS
  })
  for (const feeId of ['fee-0', 'fee-1', 'fee-2']) {
    const { submissionId } = await submit(feeId)
    t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  }
  t.ok(proxy.failed > 0)
  const complaints = entries.filter(({ level }) => level === 'error' || level === 'warn')
  t.strictSame(
    complaints.filter(({ fields }) => JSON.stringify(fields).includes('results')),
    []
  )
})

test('a full mempool at the first of two nodes', async t => {
  const { proxy, chain, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
    nodes: urls => [urls.proxy, urls.rpc]
  })
  proxy.fail('broadcast_tx_sync', { kind: 'rpc-error', data: 'mempool is full: number of txs 5000' })
  await settled(await submitMany(3))
  await until(() => /mempool is full/.test(chain.health()[0]?.fault ?? ''), 'the full node is known')
  proxy.heal()
  await until(() => chain.health()[0]?.sending, 'the node is well again')
  const before = proxy.calls('broadcast_tx_sync')
  await settled(await submitMany(3))
  t.ok(proxy.calls('broadcast_tx_sync') > before, 'the preferred node is used again')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
})

test('nodes of several versions', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50 })
  const newer = await startRewritingNode(t, devnet.urls.rpc, asVersion38)
  const proxy = await startFaultProxy(t, newer)
  const { engine, submit } = await startEngine(t, devnet, { nodes: [proxy.url, devnet.urls.rpc] })
  const execute = async (feeId: string) => engine.settled((await submit(feeId)).submissionId, PATIENCE_MS)
  t.match(await execute('fee-0'), { status: 'committed' })
  await proxy.goDown()
  t.match(await execute('fee-1'), { status: 'committed' }, 'an older node')
  await proxy.comeBack()
  await devnet.close()
})

/** The answers of CometBFT 0.38 have other names for a block's own events. */
function asVersion38(method: string, result: RpcResult): RpcResult | undefined {
  if (method === 'status')
    return { ...result, node_info: { ...Object(result['node_info']), version: '0.38.17' } }
  if (method !== 'block_results') return undefined
  const { begin_block_events: _begin, end_block_events: _end, ...rest } = result
  return { ...rest, finalize_block_events: [], app_hash: 'AAAA' }
}

test('a node on a fork is passed over while another node has the right history', async t => {
  const [own, other] = [await startNetwork(t), await startNetwork(t)]
  const { directory, stop } = await startEngine(t, own)
  await stop()
  const proxies = {
    own: await startFaultProxy(t, own.urls.rpc),
    other: await startFaultProxy(t, other.urls.rpc)
  }
  await proxies.other.goDown()
  const nodes = [proxies.other.url, proxies.own.url]
  const { engine, chain, submit } = await startEngine(t, own, { directory, nodes })
  const before = await submit('fee-before')
  t.match(await engine.settled(before.submissionId, PATIENCE_MS), { status: 'committed' })

  while (other.chain.height <= own.chain.height + 5) other.chain.produceBlock()
  await proxies.other.comeBack()
  await until(() => /does not follow block/.test(chain.health()[0]?.fault ?? ''), 'the fork is noticed')
  const during = await submit('fee-during')
  t.match(await engine.settled(during.submissionId, PATIENCE_MS), { status: 'committed' })
  t.strictSame(engine.health().blockers, [])
})

test('an engine starts beside a node on a fork, before and after it in the order', async t => {
  const [own, other] = [await startNetwork(t), await startNetwork(t)]
  const { directory, stop, submit, engine } = await startEngine(t, own)
  t.match(await engine.settled((await submit('fee-0')).submissionId, PATIENCE_MS), { status: 'committed' })
  await stop()
  while (other.chain.height <= own.chain.height + 5) other.chain.produceBlock()
  for (const nodes of [
    [other.urls.rpc, own.urls.rpc],
    [own.urls.rpc, other.urls.rpc]
  ]) {
    const again = await startEngine(t, own, { directory, nodes })
    const { submissionId } = await again.submit(`fee-${nodes.indexOf(own.urls.rpc) + 1}`)
    t.match(await again.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
    t.strictSame(again.engine.health().blockers, [])
    await again.stop()
  }
})
