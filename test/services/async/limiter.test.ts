import { createLimiter } from '../../../services/async/limiter.ts'
import { systemClock } from '../../../services/clock.ts'
import { test } from '../../helpers/tap.ts'

test('starts a call only after the pause since the previous start', async t => {
  const pauses: { ms: number; end: () => void }[] = []
  const after = (ms: number, end: () => void) => {
    pauses.push({ ms, end })
    return () => {}
  }
  const limit = createLimiter(8, undefined, { gapMs: 5, clock: { ...systemClock, after } })
  const started: string[] = []
  const calls = ['a', 'b'].map(name => limit(async () => started.push(name)))
  t.strictSame([started, pauses.map(({ ms }) => ms)], [['a'], [5]])
  pauses.shift()?.end()
  await Promise.all(calls)
  t.strictSame(started, ['a', 'b'])
})
