import { test } from 'tap'
import { systemClock } from '../../../../services/clock.ts'
import { createSetAside } from '../../../../services/submission/packing/set-aside.ts'

test('a submission is set aside for ten seconds, then for twice as long, ten minutes at most', async t => {
  let elapsed = 0
  const aside = createSetAside({ ...systemClock, elapsed: () => elapsed })
  t.equal(aside.nextDueMs(), undefined)
  for (const pause of [10, 20, 40, 80, 160, 320, 600, 600]) {
    aside.add('a')
    t.equal(aside.nextDueMs(), pause * 1000)
    elapsed += pause * 1000 - 1
    t.ok(aside.has('a'))
    elapsed += 1
    t.notOk(aside.has('a'), 'it is due again')
    t.equal(aside.size, 1)
  }
  t.equal(aside.nextDueMs(), undefined)
})

test('the first of several is due next, and what is no longer queued is forgotten', async t => {
  let elapsed = 0
  const aside = createSetAside({ ...systemClock, elapsed: () => elapsed })
  aside.add('a')
  elapsed += 3000
  aside.add('b')
  t.equal(aside.nextDueMs(), 7000)
  aside.remove(['a', 'never added'])
  t.equal(aside.nextDueMs(), 10_000)
  t.notOk(aside.has('a'))
  t.equal(aside.size, 1)
})
