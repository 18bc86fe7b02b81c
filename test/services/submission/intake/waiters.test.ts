import type { Clock } from '../../../../services/clock.ts'
import { createWaiters } from '../../../../services/submission/intake/waiters.ts'
import type { Submission } from '../../../../services/submission/types.ts'
import { test } from '../../../helpers/tap.ts'

const submission = (submissionId: string): Submission => ({
  submissionId,
  status: 'rejected',
  error: { code: 1, codespace: 'x', message: 'no' },
  createdAt: '',
  updatedAt: ''
})

/** Waiters with timers that run when the test says so. */
function waitersWithTimers() {
  const timers = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    after(_ms, action) {
      timers.add(action)
      return () => timers.delete(action)
    }
  }
  return { waiters: createWaiters(clock), timers }
}

test('everybody who waits for a submission gets it, and nobody else', async t => {
  const { waiters, timers } = waitersWithTimers()
  const first = waiters.wait('a', 100)
  const second = waiters.wait('a', 100)
  const other = waiters.wait('b', 100)
  t.equal(waiters.size, 2)
  waiters.settle(submission('a'))
  t.match(await Promise.all([first, second]), [{ submissionId: 'a' }, { submissionId: 'a' }])
  t.equal(waiters.size, 1)
  t.equal(timers.size, 1, 'a timer that is not needed any more is cancelled')
  waiters.settle(submission('b'))
  t.match(await other, { submissionId: 'b' })
})

test('a wait that times out ends without a result, and the others go on', async t => {
  const { waiters, timers } = waitersWithTimers()
  const first = waiters.wait('a', 100)
  const [expire] = timers
  const second = waiters.wait('a', 100)
  expire?.()
  t.equal(await first, undefined)
  t.equal(waiters.size, 1)
  waiters.settle(submission('a'))
  t.match(await second, { submissionId: 'a' })
})

test('a release ends every wait, and every later one at once', async t => {
  const { waiters, timers } = waitersWithTimers()
  const waits = [waiters.wait('a', 100), waiters.wait('b', 100)]
  const empty = waiters.empty()
  waiters.release()
  t.strictSame(await Promise.all(waits), [undefined, undefined])
  await empty
  t.equal(await waiters.wait('c', 100), undefined)
  t.equal(waiters.size, 0)
  t.equal(timers.size, 0)
})

test('empty resolves when the last wait has ended, and at once when there is none', async t => {
  const { waiters } = waitersWithTimers()
  await waiters.empty()
  const waits = [waiters.wait('a', 100), waiters.wait('b', 100)]
  let isEmpty = false
  const empty = waiters.empty().then(() => {
    isEmpty = true
  })
  waiters.settle(submission('a'))
  await waits[0]
  t.notOk(isEmpty)
  waiters.settle(submission('b'))
  await empty
  t.ok(isEmpty)
})
