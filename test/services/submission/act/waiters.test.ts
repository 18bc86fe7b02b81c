import { createPoller } from '../../../../services/async/poller.ts'
import { createWaiters, submissionSource } from '../../../../services/submission/act/waiters.ts'
import type { Submission } from '../../../../services/submission/contract.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { rejected } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { createVirtualClock } from '../../../simulation/time/virtual-clock.ts'

const source = submissionSource({ find: async () => undefined })

test('resolves only the pending waits for a settled submission', async t => {
  const clock = createVirtualClock()
  const poller = createPoller('submission', source, { clock, log: keepingLog().log })
  const waiters = createWaiters(poller, clock)
  const late = waiters.wait('a', 100)
  await clock.runFor(100)
  t.equal(await late, undefined)
  const waits = [waiters.wait('a', 100), waiters.wait('a', 100)]
  const other = waiters.wait('b', 100)
  let isEmpty = false
  const empty = waiters.empty().then(() => {
    isEmpty = true
  })
  poller.offer('a', rejected('a'))
  t.match(await Promise.all(waits), [{ submissionId: 'a' }, { submissionId: 'a' }])
  t.notOk(isEmpty)
  poller.offer('b', rejected('b'))
  t.match(await other, { submissionId: 'b' })
  await empty
  await waiters.empty()
})

test('compares submission states by update time, but never treats a final state as older', t => {
  const { isOlder, isFinal } = source
  const at = (second: number, status: Submission['status']) =>
    ({ submissionId: 's-1', status, updatedAt: `2030-01-01T12:00:0${second}.000Z` }) as Submission
  t.ok(isOlder(at(1, 'queued'), at(2, 'broadcast')))
  t.notOk(isOlder(at(3, 'queued'), at(2, 'broadcast')), 'a submission that returned to the queue is newer')
  t.notOk(isOlder(at(2, 'broadcast'), at(2, 'queued')))
  t.notOk(
    isOlder(at(1, 'rejected'), at(2, 'broadcast')),
    'a final state is newer even if the clock was set back'
  )
  t.strictSame([at(1, 'queued'), at(1, 'broadcast'), at(1, 'rejected')].map(isFinal), [false, false, true])
  t.end()
})
