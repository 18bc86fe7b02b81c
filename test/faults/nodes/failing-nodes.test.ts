import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

test('a node whose status runs ahead and whose index is empty or wrong', async t => {
  const { control, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  control.setStatusAhead(100)
  for (const index of ['missing', 'wrong'] as const) {
    control.setTxIndex(index)
    await settled(await submitMany(4))
  }
  control.setStatusAhead(0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 8 })
})

test('a WebSocket that is refused, and one that falls silent', async t => {
  const { proxy, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  await settled(await submitMany(3))
  proxy.muteWebSockets()
  await settled(await submitMany(3))
  proxy.webSockets('refused')
  await proxy.goDown()
  await proxy.comeBack()
  await settled(await submitMany(3))
  t.strictSame(tally(await assertExactlyOnce()), { committed: 9 })
})

test('a node whose answers take longer than its blocks', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50 })
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  for (const method of ['block', 'block_results']) proxy.fail(method, { kind: 'delay', ms: 120 })
  const { engine, submit } = await startEngine(t, devnet, { nodes: [proxy.url] })
  const { submissionId } = await submit('fee-0')
  t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
})

test('a node that follows another chain replaces the first node until that is back', async t => {
  const [own, other] = [await startNetwork(t), await startNetwork(t)]
  const proxies = {
    own: await startFaultProxy(t, own.urls.rpc),
    other: await startFaultProxy(t, other.urls.rpc)
  }
  const { directory, stop } = await startEngine(t, own)
  await stop()
  const nodes = [proxies.own.url, proxies.other.url]
  const { engine, submit } = await startEngine(t, own, { directory, nodes })
  const before = await submit('fee-before')
  t.match(await engine.settled(before.submissionId, PATIENCE_MS), { status: 'committed' })

  while (other.chain.height <= own.chain.height + 5) other.chain.produceBlock()
  await proxies.own.goDown()
  await until(() => engine.health().blockers.length > 0, 'the engine notices the other chain')
  t.match(engine.health().blockers, [{ kind: 'foreign-chain', reason: /does not follow block/ }])
  await t.rejects(submit('fee-during'), { code: 'INTAKE_CLOSED', statusCode: 503 })

  await proxies.own.comeBack()
  await proxies.other.goDown()
  await until(() => engine.health().blockers.length === 0, 'the engine follows its chain again')
  const after = await submit('fee-after')
  t.match(await engine.settled(after.submissionId, PATIENCE_MS), { status: 'committed' })
})
