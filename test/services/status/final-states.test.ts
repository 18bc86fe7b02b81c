import { isFinalStatus } from '../../../services/status/final-states.ts'
import { read } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

test('final statuses match the table in interface 9.7', t => {
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
  t.end()
})
