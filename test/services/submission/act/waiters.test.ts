import { submissionSource } from '../../../../services/submission/act/waiters.ts'
import type { Submission } from '../../../../services/submission/contract.ts'
import { test } from '../../../helpers/tap.ts'

const { isOlder } = submissionSource({ find: async () => undefined })

test('orders submission states by update time, but a final state is never older', async t => {
  const at = (second: number, status: Submission['status']) =>
    ({ submissionId: 's-1', status, updatedAt: `2030-01-01T12:00:0${second}.000Z` }) as Submission
  t.ok(isOlder(at(1, 'queued'), at(2, 'broadcast')))
  t.notOk(isOlder(at(3, 'queued'), at(2, 'broadcast')), 'a submission that returned to the queue is newer')
  t.notOk(isOlder(at(2, 'broadcast'), at(2, 'queued')))
  t.notOk(isOlder(at(1, 'rejected'), at(2, 'broadcast')), 'the clock may have been set back')
})
