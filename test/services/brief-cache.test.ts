import { test } from 'tap'
import { briefly } from '../../src/services/brief-cache.ts'

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

function withResolvers() {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
