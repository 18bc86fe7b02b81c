import { submissionSource } from '../../../services/stream/sources.ts'
import type { Submission } from '../../../services/submission/types.ts'
import { test } from '../../helpers/tap.ts'

const at = (second: number) => ({
  submissionId: 's-1',
  createdAt: '2030-01-01T12:00:00.000Z',
  updatedAt: `2030-01-01T12:00:0${second}.000Z`
})
const queued = (second: number): Submission => ({ ...at(second), status: 'queued' })
const broadcast = (second: number): Submission => ({
  ...at(second),
  status: 'broadcast',
  transactionHash: 'AB'
})
const rejected = (second: number): Submission => ({
  ...at(second),
  status: 'rejected',
  error: { code: 5, codespace: 'sdk', message: 'no' }
})

test('compares submission states by update time, but never treats a final state as older', t => {
  const { isOlder, isFinal } = submissionSource({ find: async () => undefined }, JSON.stringify)
  t.ok(isOlder(queued(1), broadcast(2)))
  t.notOk(isOlder(queued(3), broadcast(2)), 'a submission that returned to the queue is newer')
  t.notOk(isOlder(broadcast(2), queued(2)))
  t.notOk(isOlder(rejected(1), broadcast(2)), 'a final state is newer even if the clock was set back')
  t.strictSame([queued(1), broadcast(1), rejected(1)].map(isFinal), [false, false, true])
  t.end()
})
