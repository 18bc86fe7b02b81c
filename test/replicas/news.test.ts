import { test } from 'tap'
import { type Clock, systemClock } from '../../services/clock.ts'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { addressOf, startPostgres } from '../helpers/postgres/index.ts'
import { until } from '../helpers/until.ts'

/** Pauses of a second and more never end in this test, so that nothing is found by looking from time to time. */
const withoutLooking: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms < 1000 ? ms : 1_000_000, action)
}

test('replicas hear of queued submissions and of results by the database alone', async t => {
  const network = await startNetwork(t)
  const address = addressOf(await (await startPostgres(t)).createDatabase())
  const { log } = keepingLog()
  const open = (owner: string) => openPostgresStore({ address, owner, log })
  const leader = await startEngine(t, network, { open, clock: withoutLooking })
  await until(() => leader.engine.health().loops.length === 3, 'the leader works')
  const other = await startEngine(t, network, { open, clock: withoutLooking })
  for (let transfer = 0; transfer < 10; transfer += 1) {
    const { submissionId } = await other.submit(`fee-${transfer}`)
    const [here, there] = await Promise.all([
      leader.engine.settled(submissionId, 1_000_000),
      other.engine.settled(submissionId, 1_000_000)
    ])
    t.equal(there.status, 'committed')
    t.strictSame(there, here)
  }
})
