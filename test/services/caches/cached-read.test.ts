import { cachedRead } from '../../../services/caches/cached-read.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { test } from '../../helpers/tap.ts'

/** Far longer than any test takes, so only `advanceClock` makes a value stale. */
const freshMs = 1_000_000

function recordedRead(maxKeys: number) {
  const fetched: string[] = []
  const read = cachedRead({ freshMs, maxKeys }, async key => {
    fetched.push(key)
    return key
  })
  return { fetched, get: read }
}

test('refetches a value after the clock was set back', async t => {
  stopClock(t)
  const { get, fetched } = recordedRead(10)
  await get('a')
  advanceClock(-1)
  t.teardown(() => advanceClock(1))
  await get('a')
  t.same(fetched, ['a', 'a'])
})

test('a value above the limit evicts the oldest', async t => {
  const { get, fetched } = recordedRead(2)
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) await get(key)
  t.same(fetched, ['a', 'b', 'c', 'a'])
})
