import { isOlderRecord as isOlder } from '../../../services/status/order.ts'
import { test } from '../../helpers/tap.ts'

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
