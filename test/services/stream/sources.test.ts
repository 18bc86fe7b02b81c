import { statusSource, submissionSource } from '../../../services/stream/sources.ts'
import type { Submission } from '../../../services/submission/contract.ts'
import { test } from '../../helpers/tap.ts'

const { isOlder } = statusSource('transfer', { find: async () => undefined }, () => ({}))

const record = (txstatus: string, change: Record<string, string | number> = {}) => ({
  txstatus,
  pullfailcount: 1,
  pullhash: '0x1',
  releasehash: '0x2',
  failreason: 'late',
  ...change
})

test('treats a record with an earlier status as older', t => {
  const order = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']
  for (const [index, last] of order.entries()) {
    for (const earlier of order.slice(0, index)) t.ok(isOlder(record(earlier), record(last)), earlier)
    for (const later of order.slice(index)) t.notOk(isOlder(record(later), record(last)), later)
  }
  for (const failure of ['FailedToPull', 'RefundStart', 'RefundCompleted', 'DeclinedInvalid']) {
    t.ok(isOlder(record('Pulled'), record(failure)), failure)
    t.notOk(isOlder(record(failure), record('Pulled')), failure)
  }
  t.ok(isOlder(record('RefundStart'), record('RefundCompleted')))
  t.end()
})

test('treats a record with the same status and fewer failures or hashes as older', t => {
  const last = record('Pulled')
  t.ok(isOlder(record('Pulled', { pullfailcount: 0 }), last))
  t.ok(isOlder(record('Pulled', { pullhash: '' }), last))
  t.ok(isOlder(record('Pulled', { releasehash: '' }), last))
  t.notOk(isOlder(record('Pulled', { pullfailcount: 2, failreason: '', pullhash: '0x2' }), last))
  const unreleased = record('Pulled', { releasehash: '' })
  t.notOk(isOlder(record('Pulled', { pullfailcount: 2, releasehash: '' }), unreleased))
  t.end()
})

test('treats an unknown status as older only if the last status is final', t => {
  t.notOk(isOlder(record('Bridging'), record('Paid')))
  t.notOk(isOlder(record('Available'), record('Bridging')))
  t.ok(isOlder(record('Bridging'), record('Completed')))
  t.end()
})

test('compares submission states by update time, but never treats a final state as older', t => {
  const { isOlder, isFinal } = submissionSource({ find: async () => undefined }, JSON.stringify)
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
