import { cachedRead } from '../../../services/caches/cached-read.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { test } from '../../helpers/tap.ts'

/** Far longer than any test takes, so only `advanceClock` makes a value stale. */
const freshMs = 1_000_000

function recordedRead(options: { maxKeys?: number; keepFailures?: boolean }) {
  const fetched: string[] = []
  const read = cachedRead({ freshMs, maxKeys: 10, ...options }, async key => {
    fetched.push(key)
    if (key === 'broken') throw new Error('down')
    return `${key}!`
  })
  return { fetched, get: async (key: string) => (await read(key)).value }
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
  const { get, fetched } = recordedRead({})
  await get('a')
  advanceClock(-1)
  t.teardown(() => advanceClock(1))
  await get('a')
  t.same(fetched, ['a', 'a'])
})

test('fetches each key separately and caches failures if requested', async t => {
  stopClock(t)
  const { get, fetched } = recordedRead({ keepFailures: true })
  t.same(await Promise.all([get('a'), get('b'), get('a')]), ['a!', 'b!', 'a!'])
  await t.rejects(get('broken'), { message: 'down' })
  advanceClock(990)
  await t.rejects(get('broken'), { message: 'down' })
  t.equal(await get('a'), 'a!')
  t.same(fetched, ['a', 'b', 'broken'])
  advanceClock(20)
  await Promise.all([get('a'), get('a'), t.rejects(get('broken')), t.rejects(get('broken'))])
  t.same(fetched, ['a', 'b', 'broken', 'a', 'broken'])
})

test('refetches after a failure unless failures are cached', async t => {
  const { get, fetched } = recordedRead({})
  await Promise.all([t.rejects(get('broken')), t.rejects(get('broken'))])
  t.same(fetched, ['broken'])
  await t.rejects(get('broken'))
  t.same(fetched, ['broken', 'broken'])
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

test('reads do not change the eviction order', async t => {
  const { get, fetched } = recordedRead({ maxKeys: 2 })
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  t.same(fetched, ['a', 'b', 'c'])
  await get('b')
  t.same(fetched, ['a', 'b', 'c'], 'b was fetched after a, so it is still cached')
  advanceClock(1_001)
  await get('b')
  await get('a')
  await get('b')
  t.same(fetched.slice(3), ['b', 'a'], 'b was refetched, so c was the oldest and was evicted')
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
