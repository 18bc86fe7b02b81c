import { test } from '../../helpers/tap.ts'
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
