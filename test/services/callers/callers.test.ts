import { type CallerChanges, createCallers } from '../../../services/callers/index.ts'
import type { CallerEntry } from '../../../services/callers/key-file.ts'
import { systemClock } from '../../../services/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

test('reports which callers a new key file adds, changes and ends', async t => {
  const [endedAt, none] = ['2026-01-01T00:00:00.000Z', { added: [], changed: [], ended: [] }]
  const entry = (name: string, more: Partial<CallerEntry> = {}): CallerEntry => ({
    name,
    scopes: ['read'],
    keys: [],
    ...more
  })
  const versions: [CallerEntry[], CallerChanges?][] = [
    [[entry('a'), entry('b'), entry('c')], { ...none, added: ['a', 'b', 'c'] }],
    [[entry('a'), entry('b'), entry('c')]],
    [[entry('a', { quota: 5 }), entry('c', { endedAt })], { ...none, changed: ['a'], ended: ['c', 'b'] }],
    [[entry('a', { quota: 5 }), entry('c', { endedAt, quota: 5 })], { ...none, changed: ['c'] }]
  ]
  let entries: CallerEntry[] = []
  let reload = () => {}
  const follow = (_log: unknown, changed: () => void) => {
    reload = changed
    return () => {}
  }
  const found: CallerChanges[] = []
  const file = { current: () => entries, follow }
  const { log } = keepingLog()
  createCallers({ file, clock: systemClock, log, changed: changes => found.push(changes) })
  for (const [version] of versions) {
    entries = version
    reload()
  }
  t.strictSame(
    found,
    versions.flatMap(([, changes]) => changes ?? [])
  )
})
