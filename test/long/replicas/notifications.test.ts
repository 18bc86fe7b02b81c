import { type Clock, systemClock } from '../../../services/clock.ts'
import { openPostgresStore } from '../../../services/submission/store/postgres/index.ts'
import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { addressOf, startPostgres } from '../../helpers/postgres/index.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

/** A clock on which timers of a second or more never fire during the test, so that nothing is detected by polling. */
const withoutLooking: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms < 1000 ? ms : 1_000_000, action)
}

test('replicas learn of queued submissions and results from database notifications alone', async t => {
  const network = await startNetwork(t)
  const address = addressOf(await (await startPostgres(t)).createDatabase())
  const { log } = keepingLog()
  const open = (owner: string) => openPostgresStore({ address, owner, log })
  const leader = await startEngine(t, network, { open, clock: withoutLooking })
  await until(() => leader.engine.health().loops.length === 3, 'the first replica leads')
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
  await leader.engine.stop()
  await until(() => other.engine.health().loops.length === 3, 'the second replica leads')
})
