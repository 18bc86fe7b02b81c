import { startRetention } from '../../../services/submission/retention.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

const DAY_MS = 86_400_000

test('deletes old submissions every hour, old quotes and lock intents every minute', async t => {
  const clock = createVirtualClock()
  const { log, entries } = keepingLog()
  const left = [500, 20]
  const steps: number[][] = []
  const quoteSteps: number[][] = []
  const lockSteps: number[][] = []
  const forgetTo = (record: number[][]) => async (limit: number) => {
    record.push([clock.elapsed(), limit])
    return 0
  }
  const store = {
    async forget(keepMs: number, limit: number) {
      steps.push([clock.elapsed(), keepMs, limit])
      return left.shift() ?? 0
    },
    forgetQuotes: forgetTo(quoteSteps),
    forgetLocks: forgetTo(lockSteps)
  }
  const loop = startRetention({ store, days: 90, log, clock })
  await clock.run(() => steps.length === 4)
  await loop.stop()
  const expected = [0, 100, 200, 3_600_200].map(elapsed => [elapsed, 90 * DAY_MS, 500])
  t.strictSame(steps, expected)
  t.match(entries, [{ fields: { deleted: 520 } }])
  const everyMinute = [0, 60_000].map(elapsed => [elapsed, 500])
  for (const found of [quoteSteps, lockSteps]) t.strictSame(found.slice(0, 2), everyMinute)
  const forever = startRetention({ store, days: 0, log, clock })
  const before = quoteSteps.length
  await clock.run(() => quoteSteps.length === before + 100)
  await forever.stop()
  t.equal(steps.length, 4)
})

test('logs once which loop fails, and that it has recovered', async t => {
  const clock = createVirtualClock()
  const { log, entries } = keepingLog()
  const nothing = async () => 0
  async function forgetLocks() {
    if (clock.elapsed() < 1500) throw new Error('disk full')
    return 0
  }
  const store = { forget: nothing, forgetQuotes: nothing, forgetLocks }
  const loop = startRetention({ store, days: 0, log, clock })
  await clock.run(() => entries.length === 2)
  await loop.stop()
  t.match(entries, [
    { fields: { loop: 'lock intents' }, message: /^lock intents loop failed/ },
    { message: 'lock intents loop recovered' }
  ])
})
