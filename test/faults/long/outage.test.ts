import { setTimeout as delay } from 'node:timers/promises'
import { fastClock } from '../../helpers/clock.ts'
import { test } from '../../helpers/tap.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

/**
 * Speeds up the engine's clock, so that a minute takes six seconds. Within a minute, its retry delays reach their
 * maximum.
 */
const FACTOR = 10
const OUTAGE_MS = 60_000

const PAUSE_MS = 50

test('loses nothing when the first node is down for a minute under load', async t => {
  const outages = [true, false].map(async others => {
    const clock = fastClock(FACTOR)
    const { proxy, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
      nodes: urls => (others ? [urls.proxy, urls.rpc] : [urls.proxy]),
      // The timeout is scaled because the node responds at its normal speed.
      engine: { clock, chainClock: clock, timeoutMs: 2000 * FACTOR }
    })
    await submitMany(10)
    await proxy.goDown()
    const until = clock.elapsed() + OUTAGE_MS
    let count = 10
    while (clock.elapsed() < until) {
      await submitMany(2)
      count += 2
      await delay(PAUSE_MS)
    }
    await proxy.comeBack()
    await submitMany(10)
    t.strictSame(tally(await assertExactlyOnce()), { committed: count + 10 }, others ? 'with' : 'without')
  })
  await Promise.all(outages)
})
