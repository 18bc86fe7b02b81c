import { isFinalStatus } from '../../../services/status/final-states.ts'
import { isOlderRecord as isOlder } from '../../../services/status/order.ts'
import { read } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const common = { pullfailcount: 1, pullhash: '0x1', releasehash: '0x2', failreason: 'late' }
const record = (txstatus: string, change: object = {}) => ({ txstatus, ...common, ...change })

test('treats a record with an earlier status as older', async t => {
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
})

const SAME: [next: object, last: object, older: boolean][] = [
  [{ pullfailcount: 0 }, {}, true],
  [{ pullhash: '' }, {}, true],
  [{ releasehash: '' }, {}, true],
  [{ pullfailcount: 2, failreason: '', pullhash: '0x2' }, {}, false],
  [{ pullfailcount: 2, releasehash: '' }, { releasehash: '' }, false],
  [{ txstatus: 'Bridging' }, { txstatus: 'Paid' }, false],
  [{ txstatus: 'Available' }, { txstatus: 'Bridging' }, false],
  [{ txstatus: 'Bridging' }, { txstatus: 'Completed' }, true]
]

test('fewer failures or hashes are older; an unknown status is older than a final one', async t => {
  for (const [next, last, older] of SAME)
    t.equal(isOlder(record('Pulled', next), record('Pulled', last)), older, JSON.stringify([next, last]))
})

test('final statuses match the table in interface 9.7', async t => {
  const page = read('docs/interface.md')
  const [, table = ''] = /\*\*9\.7\*\*.*?\n\n(.*?)\n\n/s.exec(page) ?? []
  const rows = table.split('\n').slice(2)
  const expected = rows.flatMap(row => {
    const [, values = '', final = ''] = row.split('|')
    return Array.from(values.matchAll(/`(\w+)`/g), ([, status]) => [status, final.trim().startsWith('yes')])
  })
  t.equal(expected.length, 12)
  for (const [status, isFinal] of expected) t.equal(isFinalStatus(status), isFinal, String(status))
  t.notOk(isFinalStatus('Bridging'), 'an unknown status is not final')
})
