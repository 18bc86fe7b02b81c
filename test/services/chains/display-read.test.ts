import { displayRead } from '../../../services/chains/reads.ts'
import { UpstreamError } from '../../../services/upstream/errors.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** A read whose fetches the test resolves. */
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

/** Resolves after the callbacks of all settled promises. */
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A read whose first value is `seconds` old. */
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
