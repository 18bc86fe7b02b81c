import { systemClock } from '../../../../services/clock.ts'
import { createSetAside } from '../../../../services/submission/packing/set-aside.ts'
import { test } from '../../../helpers/tap.ts'

test('a submission is set aside for a quarter of a second, then for twice as long, ten minutes at most', async t => {
  let elapsed = 0
  const aside = createSetAside({ ...systemClock, elapsed: () => elapsed })
  t.equal(aside.nextDueMs(), undefined)
  for (const pause of [250, 500, 1000, 2000, 4000]) {
    aside.add('a')
    t.equal(aside.nextDueMs(), pause)
    elapsed += pause - 1
    t.ok(aside.has('a'))
    elapsed += 1
    t.notOk(aside.has('a'), 'it is due again')
    t.equal(aside.size, 1)
  }
  t.equal(aside.nextDueMs(), undefined)
  for (let times = 0; times < 20; times++) aside.add('a')
  t.equal(aside.nextDueMs(), 600_000)
})

test('the first of several is due next, and what is no longer queued is forgotten', async t => {
  let elapsed = 0
  const aside = createSetAside({ ...systemClock, elapsed: () => elapsed })
  aside.add('a')
  elapsed += 100
  aside.add('b')
  t.equal(aside.nextDueMs(), 150)
  aside.remove(['a', 'never added'])
  t.equal(aside.nextDueMs(), 250)
  t.notOk(aside.has('a'))
  t.equal(aside.size, 1)
})
