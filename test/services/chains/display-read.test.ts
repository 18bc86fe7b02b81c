import { Type } from '@sinclair/typebox'
import { createChainReads } from '../../../services/chains/reads.ts'
import { checkFor } from '../../../services/schema-check.ts'
import type { ChainApi } from '../../../services/upstream/chain-api.ts'
import { UpstreamError } from '../../../services/upstream/errors.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** Creates a display read whose fetches the test settles. */
function readByHand() {
  const { log, entries } = keepingLog()
  const calls: { answer(value: string): void; fail(): void }[] = []
  const get = () =>
    new Promise<string>((resolve, reject) => {
      const fail = () => reject(new UpstreamError('chain API', 'HTTP status 500'))
      calls.push({ answer: resolve, fail })
    })
  const chainApi = { name: 'chain API', get: get as ChainApi['get'] }
  const read = createChainReads(chainApi, log).byKey('/things', checkFor(Type.String()), value => value)
  return { read, calls, entries }
}

/** Waits until the callbacks of all settled promises have run. */
const turn = () => new Promise(resolve => setImmediate(resolve))

/** Creates a display read whose first value is `seconds` old. */
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

test('serves a cached value while its refresh hangs, and without delay after the refresh has failed', async t => {
  const { read, calls, entries } = await readSince(t, 120)
  t.same(await read('a'), { value: 'one', ageSeconds: 120 })
  t.equal(calls.length, 2)
  calls[1]?.fail()
  await turn()
  t.equal(entries.length, 1)
  let served: unknown
  void read('a').then(answer => {
    served = answer
  })
  await turn()
  t.equal(calls.length, 3, 'another fetch started')
  t.match(served, { value: 'one' }, 'the read did not wait for the fetch')
})

test('logs the first failure and the recovery with the upstream’s name', async t => {
  const { read, calls, entries } = await readSince(t, 30)
  for (const call of [1, 2, 3]) {
    await read('a')
    if (call < 3) calls[call]?.fail()
    else calls[call]?.answer('two')
    await turn()
  }
  t.equal((await read('a')).value, 'two')
  t.match(entries, [
    { level: 'warn', fields: { read: '/things', key: 'a', err: { message: /^chain API: / } } },
    { level: 'info', fields: { read: '/things', key: 'a' } }
  ])
  t.equal(entries.length, 2)
})

test('fetches nothing for ten seconds, and waits for the refresh of a value older than a minute', async t => {
  const { read, calls } = await readSince(t, 9)
  await read('a')
  t.equal(calls.length, 1)
  advanceClock(1)
  t.match(await read('a'), { value: 'one' })
  calls[1]?.answer('two')
  await turn()
  advanceClock(61)
  const asked = read('a')
  await turn()
  calls[2]?.answer('three')
  t.match(await asked, { value: 'three' })
})

test('waits for a running refresh once the cached value is too old to serve', async t => {
  const { read, calls } = await readSince(t, 590)
  await read('a')
  advanceClock(20)
  const asked = read('a')
  await turn()
  t.equal(calls.length, 2)
  calls[1]?.answer('two')
  t.match(await asked, { value: 'two' })
})
