import type { Clock } from '../../../../services/clock.ts'
import { createWaiters } from '../../../../services/submission/intake/waiters.ts'
import { rejected } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'

test('resolves only the pending waits for a settled submission', async t => {
  const timers = new Set<() => void>()
  const after: Clock['after'] = (_ms, action) => {
    timers.add(action)
    return () => timers.delete(action)
  }
  const waiters = createWaiters({ findSettled: async () => [] }, { now: () => 0, elapsed: () => 0, after })
  const late = waiters.wait('a', 100)
  const [expire] = timers
  const waits = [waiters.wait('a', 100), waiters.wait('a', 100)]
  const other = waiters.wait('b', 100)
  let isEmpty = false
  const empty = waiters.empty().then(() => {
    isEmpty = true
  })
  expire?.()
  t.equal(await late, undefined)
  waiters.finish(rejected('a'))
  t.match(await Promise.all(waits), [{ submissionId: 'a' }, { submissionId: 'a' }])
  t.equal(timers.size, 1, 'only the timer of b is left')
  t.notOk(isEmpty)
  waiters.finish(rejected('b'))
  t.match(await other, { submissionId: 'b' })
  await empty
  await waiters.empty()
})
