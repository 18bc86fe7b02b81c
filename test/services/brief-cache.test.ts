import { test } from 'tap'
import { briefly, brieflyByKey } from '../../src/services/brief-cache.ts'

test('whoever asks at the same time, or soon after, shares one call', async t => {
  let clock = 0
  let calls = 0
  const get = briefly(
    1000,
    async () => {
      calls += 1
      return calls
    },
    () => clock
  )
  t.same(await Promise.all([get(), get(), get()]), [1, 1, 1])
  clock = 999
  t.equal(await get(), 1)
  clock = 1000
  t.same(await Promise.all([get(), get()]), [2, 2])
})

test('a slow call is shared for as long as it takes', async t => {
  let clock = 0
  let calls = 0
  const { promise, resolve } = withResolvers()
  const get = briefly(
    10,
    () => {
      calls += 1
      return promise
    },
    () => clock
  )
  const first = get()
  clock = 10_000
  const second = get()
  resolve('late')
  t.same(await Promise.all([first, second]), ['late', 'late'])
  t.equal(calls, 1)
  t.equal(await get(), 'late', 'its lifetime begins when it is there')
  t.equal(calls, 1)
})

test('a failure reaches all who wait and is not kept', async t => {
  let calls = 0
  const get = briefly(1000, async () => {
    calls += 1
    if (calls === 1) throw new Error('down')
    return calls
  })
  const [first, second] = await Promise.allSettled([get(), get()])
  t.equal(first.status, 'rejected')
  t.equal(second.status, 'rejected')
  t.equal(await get(), 2)
})

test('each key has a call of its own, whose failure is shared as well', async t => {
  let clock = 0
  const calls: string[] = []
  const get = brieflyByKey({ lifetimeMs: 1000, maxKeys: 10, now: () => clock }, async key => {
    calls.push(key)
    if (key === 'broken') throw new Error('down')
    return key
  })
  t.same(await Promise.all([get('a'), get('b'), get('a')]), ['a', 'b', 'a'])
  await t.rejects(get('broken'))
  clock = 999
  await t.rejects(get('broken'))
  t.equal(await get('a'), 'a')
  t.same(calls, ['a', 'b', 'broken'])
  clock = 1999
  await Promise.all([get('a'), get('a'), t.rejects(get('broken'))])
  t.same(calls, ['a', 'b', 'broken', 'a', 'broken'])
})

test('beyond the limit the keys whose calls began first are forgotten', async t => {
  let clock = 0
  const calls: string[] = []
  const get = brieflyByKey({ lifetimeMs: 10, maxKeys: 2, now: () => clock }, async key => calls.push(key))
  await get('a')
  await get('b')
  clock = 10
  await get('a')
  await get('c')
  await get('a')
  t.same(calls, ['a', 'b', 'a', 'c'], 'a was asked again before c, so b made room')
  await get('b')
  t.same(calls.slice(4), ['b'])
})

function withResolvers() {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
