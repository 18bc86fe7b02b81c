import { test } from 'tap'
import { brieflyByKey } from '../../../services/caches/brief-cache.ts'

test('a slow call is shared for as long as it takes', async t => {
  let clock = 0
  let calls = 0
  const { promise, resolve } = withResolvers()
  const get = brieflyByKey({ lifetimeMs: 10, maxKeys: 10, now: () => clock }, () => {
    calls += 1
    return promise
  })
  const first = get('a')
  clock = 10_000
  const second = get('a')
  resolve('late')
  t.same(await Promise.all([first, second]), ['late', 'late'])
  t.equal(calls, 1)
  t.equal(await get('a'), 'late', 'its lifetime begins when it is there')
  t.equal(calls, 1)
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
