import { isOlderRecord } from '../../../services/status/order.ts'
import { test } from '../../helpers/tap.ts'

const record = (txstatus: string, change: Record<string, string | number> = {}) => ({
  txstatus,
  pullfailcount: 1,
  pullhash: '0x1',
  failreason: 'late',
  ...change
})

test('treats a record with an earlier status as older', t => {
  const order = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']
  for (const [index, last] of order.entries()) {
    for (const earlier of order.slice(0, index)) t.ok(isOlderRecord(record(earlier), record(last)), earlier)
    for (const later of order.slice(index)) t.notOk(isOlderRecord(record(later), record(last)), later)
  }
  for (const failure of ['FailedToPull', 'RefundStart', 'RefundCompleted', 'DeclinedInvalid']) {
    t.ok(isOlderRecord(record('Pulled'), record(failure)), failure)
    t.notOk(isOlderRecord(record(failure), record('Pulled')), failure)
  }
  t.ok(isOlderRecord(record('RefundStart'), record('RefundCompleted')))
  t.end()
})

test('treats a record with the same status and fewer failures or hashes as older', t => {
  const last = record('Pulled')
  t.ok(isOlderRecord(record('Pulled', { pullfailcount: 0 }), last))
  t.ok(isOlderRecord(record('Pulled', { pullhash: '' }), last))
  t.notOk(isOlderRecord(record('Pulled', { pullfailcount: 2, failreason: '', pullhash: '0x2' }), last))
  t.end()
})

test('treats an unknown status as older only if the last status is final', t => {
  t.notOk(isOlderRecord(record('Bridging'), record('Paid')))
  t.notOk(isOlderRecord(record('Available'), record('Bridging')))
  t.ok(isOlderRecord(record('Bridging'), record('Completed')))
  t.end()
})
