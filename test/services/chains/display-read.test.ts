import { displayRead } from '../../../services/chains/reads.ts'
import { UpstreamError } from '../../../services/upstream/errors.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** A read whose fetches the test answers. */
function readByHand() {
  const { log, entries } = keepingLog()
  const calls: { key: string; answer(value: string): void; fail(): void }[] = []
  const load = (key: string) =>
    new Promise<string>((resolve, reject) => {
      const fail = () => reject(new UpstreamError('chain API', 'HTTP status 500'))
      calls.push({ key, answer: resolve, fail })
    })
  return { read: displayRead('/things', load, log), calls, entries }
}

/** Resolves after the callbacks of everything that is settled. */
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A read with a first answer of that age. */
async function readSince(t: Test, seconds: number) {
  stopClock(t)
  const fixture = readByHand()
  const first = fixture.read('a')
  await turn()
  fixture.calls[0]?.answer('one')
  t.match(await first, { value: 'one', ageSeconds: 0 })
  advanceClock(seconds)
  return fixture
}

test('the answers of many keys are cached', async t => {
  const { read, calls } = readByHand()
  const keys = Array.from({ length: 250 }, (_, n) => `${n}`)
  const asked = keys.map(key => read(key))
  await turn()
  for (const { key, answer } of calls) answer(key)
  await Promise.all(asked)
  for (const key of keys) t.equal((await read(key)).value, key)
  t.equal(calls.length, keys.length)
})

test('a stale answer is served at once while it is refreshed', async t => {
  const { read, calls } = await readSince(t, 30)
  t.match(await read('a'), { value: 'one' })
  t.match(await read('a'), { value: 'one' })
  t.equal(calls.length, 2, 'one refresh')
  calls[1]?.answer('two')
  await turn()
  t.same(await read('a'), { value: 'two', ageSeconds: 0 })
})

test('an old answer is served when the refresh hangs, and at once after it failed', async t => {
  const { read, calls, entries } = await readSince(t, 120)
  t.same(await read('a'), { value: 'one', ageSeconds: 120 })
  t.equal(calls.length, 2)
  calls[1]?.fail()
  await turn()
  t.equal(entries.length, 1)
  let given: unknown
  void read('a').then(answer => {
    given = answer
  })
  await turn()
  t.equal(calls.length, 3, 'another fetch has begun')
  t.match(given, { value: 'one' }, 'the read did not wait for it')
})

test('the first failure and the recovery are logged, with the name of the upstream', async t => {
  const { read, calls, entries } = await readSince(t, 30)
  for (const call of [1, 2, 3]) {
    await read('a')
    if (call < 3) calls[call]?.fail()
    else calls[call]?.answer('two')
    await turn()
  }
  t.equal((await read('a')).value, 'two')
  t.match(entries, [
    { level: 'warn', fields: { read: '/things', key: 'a', err: { upstream: 'chain API' } } },
    { level: 'info', fields: { read: '/things', key: 'a' } }
  ])
  t.equal(entries.length, 2)
})

test('an answer that gets too old during its refresh causes no second request', async t => {
  const { read, calls } = await readSince(t, 590)
  await read('a')
  advanceClock(20)
  const asked = read('a')
  await turn()
  t.equal(calls.length, 2)
  calls[1]?.answer('two')
  t.match(await asked, { value: 'two' })
})
