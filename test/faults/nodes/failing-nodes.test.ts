import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

test('executes submissions while WebSockets stay silent or are refused', async t => {
  const { proxy, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  await settled(await submitMany(3))
  proxy.muteWebSockets()
  await settled(await submitMany(3))
  proxy.refuseWebSockets()
  await proxy.goDown()
  await proxy.comeBack()
  await settled(await submitMany(3))
  t.strictSame(tally(await assertExactlyOnce()), { committed: 9 })
})

test('executes submissions when a node responds more slowly than it produces blocks', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50 })
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  for (const method of ['block', 'block_results']) proxy.fail(method, { kind: 'delay', ms: 120 })
  const { engine, submit } = await startEngine(t, devnet, { nodes: [proxy.url] })
  const { submissionId } = await submit('fee-0')
  t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
})
