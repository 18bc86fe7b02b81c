import { mock } from 'node:test'
import { onceAMinute } from '../../../services/async/once-a-minute.ts'
import { test } from '../../helpers/tap.ts'

test('reports the first event immediately, and once a minute the number of later events and the last value', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const reports: [number, string][] = []
  const note = onceAMinute<string>((...report) => reports.push(report))
  for (const value of ['a', 'b', 'c']) note(value)
  mock.timers.tick(59_999)
  t.strictSame(reports, [[1, 'a']])
  mock.timers.tick(1)
  mock.timers.tick(60_000)
  note('d')
  t.strictSame(reports, [
    [1, 'a'],
    [2, 'c'],
    [1, 'd']
  ])
})
