import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
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
