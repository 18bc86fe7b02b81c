import { startLoop, UNTIL_WOKEN } from '../../../services/async/loop.ts'
import { type Clock, systemClock } from '../../../services/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

test('reports how long steps have been failing and when a step last succeeded, and logs each failure once', async t => {
  let now = 0
  let problem: string | undefined = 'no answer'
  let rested = () => {}
  const clock: Clock = { ...systemClock, elapsed: () => now, after: () => () => {} }
  const step = async () => {
    setImmediate(() => rested())
    if (problem !== undefined) throw new Error(problem)
    return UNTIL_WOKEN
  }
  const next = () => new Promise<void>(resolve => (rested = resolve))
  const first = next()
  const { log, entries } = keepingLog()
  const loop = startLoop('worker', step, { clock, log })
  await first
  now = 4000
  t.strictSame(loop.health(), { name: 'worker', failingMs: 4000 })
  const second = next()
  loop.wake()
  await second
  now = 9000
  t.equal(loop.health().failingMs, 9000, 'since the first consecutive failure')
  problem = 'no store'
  const other = next()
  loop.wake()
  await other
  problem = undefined
  const third = next()
  loop.wake()
  await third
  now = 9500
  t.strictSame(loop.health(), { name: 'worker', failingMs: undefined })
  const fourth = next()
  loop.wake()
  await fourth
  t.match(entries, [
    {
      level: 'error',
      message: 'worker loop failed; retrying every second',
      fields: { loop: 'worker', err: { message: 'no answer' } }
    },
    { level: 'error', fields: { loop: 'worker', err: { message: 'no store' } } },
    { level: 'info', message: 'worker loop recovered', fields: { loop: 'worker' } }
  ])
  t.equal(entries.length, 3)
  await loop.stop()
})
