import { setTimeout as delay } from 'node:timers/promises'
import { test } from '../../helpers/tap.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

const OUTAGE_MS = 60_000

test('the first node is gone for a minute, under load, then back', async t => {
  for (const others of [true, false]) {
    const { proxy, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
      nodes: urls => (others ? [urls.proxy, urls.rpc] : [urls.proxy])
    })
    await submitMany(10)
    await proxy.goDown()
    const until = performance.now() + OUTAGE_MS
    let count = 10
    while (performance.now() < until) {
      await submitMany(2)
      count += 2
      await delay(500)
    }
    await proxy.comeBack()
    await submitMany(10)
    t.strictSame(tally(await assertExactlyOnce()), { committed: count + 10 }, others ? 'with' : 'without')
  }
})
