import { startLoop, UNTIL_WOKEN } from '../../../services/async/loop.ts'
import { type Clock, systemClock } from '../../../services/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

test('logs each failure once, and the recovery', async t => {
  let problem: string | undefined = 'no answer'
  let rested = () => {}
  const clock: Clock = { ...systemClock, after: () => () => {} }
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
  const second = next()
  loop.wake()
  await second
  problem = 'no store'
  const other = next()
  loop.wake()
  await other
  problem = undefined
  const third = next()
  loop.wake()
  await third
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
