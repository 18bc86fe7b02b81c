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

test('readers share a slow fetch, and its value stays fresh from the time it arrives', async t => {
  stopClock(t)
  let calls = 0
  const { promise, resolve } = withResolvers()
  const get = cachedRead({ freshMs, maxKeys: 10 }, () => {
    calls += 1
    return promise
  })
  const first = get('a')
  advanceClock(10_000)
  const second = get('a')
  resolve('late')
  t.match(await Promise.all([first, second]), [{ value: 'late' }, { value: 'late' }])
  t.equal(calls, 1)
  t.match(await get('a'), { value: 'late', ageSeconds: 10_000 })
  t.equal(calls, 1)
})

test('refetches a value after the clock was set back', async t => {
  stopClock(t)
  const { get, fetched } = recordedRead(10)
  await get('a')
  advanceClock(-1)
  t.teardown(() => advanceClock(1))
  await get('a')
  t.same(fetched, ['a', 'a'])
})

test('a failed refresh rejects instead of returning a stale value', async t => {
  let down = false
  const get = cachedRead({ freshMs, maxKeys: 10 }, async () => {
    if (down) throw new Error('down')
    return 'one'
  })
  await get('a')
  down = true
  advanceClock(1_001)
  await t.rejects(async () => get('a'), { message: 'down' })
})

test('a value above the limit evicts the oldest', async t => {
  const { get, fetched } = recordedRead(2)
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) await get(key)
  t.same(fetched, ['a', 'b', 'c', 'a'])
})

test('a fetch resolves even if its key was evicted in the meantime', async t => {
  const { promise, resolve } = withResolvers()
  const get = cachedRead({ freshMs, maxKeys: 1 }, key => (key === 'slow' ? promise : Promise.resolve(key)))
  const slow = get('slow')
  t.match(await get('b'), { value: 'b' })
  resolve('late')
  t.match(await slow, { value: 'late' })
  t.match(await get('b'), { value: 'b' })
})

function withResolvers() {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
