import type { Failure } from '../../../../services/submission/engine-context.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from '../engine-context.ts'

const refusal = { code: 11, codespace: 'sdk', message: 'out of gas' }

async function blameWith() {
  const { engine, time } = await engineContext()
  const { blame } = engine
  return {
    blame,
    time,
    /** Records the failure of a transaction with `messages` messages, in which the given submissions are suspects. */
    fail: (suspects: string[], messages = suspects.length, by: Failure['by'] = 'block') =>
      blame.failed({ suspects, messages, refusal, by })
  }
}

test('retries a failed transaction’s messages in halves, and retries a message named in the log on its own', async t => {
  const { blame, fail } = await blameWith()
  for (const [messages, together] of [
    [9, 4],
    [4, 2],
    [3, 1],
    [2, 1]
  ] as const) {
    const ids = Array.from({ length: messages }, (_, index) => `${messages}/${index}`)
    fail(ids)
    t.strictSame(new Set(ids.map(blame.together)), new Set([together]))
  }
  fail(['named'], 9)
  t.equal(blame.together('named'), 1)
  t.equal(blame.together('other'), undefined)
  t.equal(blame.resting, 0, 'none of the messages failed alone')
})

test('pauses a message for 250 ms after it fails alone, and doubles each further pause up to ten minutes', async t => {
  const { blame, time, fail } = await blameWith()
  t.equal(blame.nextDueMs(), undefined)
  for (const pause of [250, 500, 1000, 2000, 4000]) {
    fail(['a'], 1, 'node')
    t.equal(blame.nextDueMs(), pause)
    time.elapsed += pause - 1
    t.ok(blame.isResting('a'))
    t.equal(blame.resting, 1)
    time.elapsed += 1
    t.notOk(blame.isResting('a'), 'the message is due again')
  }
  t.equal(blame.nextDueMs(), undefined)
  for (let times = 0; times < 20; times++) blame.rest('a')
  t.equal(blame.nextDueMs(), 600_000)
})

test('returns the shortest remaining pause, and forgets settled messages', async t => {
  const { blame, time } = await blameWith()
  blame.rest('a')
  time.elapsed += 100
  blame.rest('b')
  t.equal(blame.nextDueMs(), 150)
  blame.forget(['a', 'never seen'])
  t.equal(blame.nextDueMs(), 250)
  t.notOk(blame.isResting('a'))
})

test('convicts a message after three failures of the same kind', async t => {
  const { blame, fail } = await blameWith()
  for (const by of ['block', 'gas', 'block', 'gas', 'node', 'node', 'node'] as const) fail(['a'], 1, by)
  t.equal(blame.convicted('a'), undefined)
  fail(['a'], 1)
  t.strictSame(blame.convicted('a'), refusal)
  t.equal(blame.failures('a'), 6, 'a simulation that needs too much gas does not raise the gas limit')
})

test('does not convict a message that failed together with other messages or at only one node', async t => {
  const { blame, fail } = await blameWith()
  for (let times = 0; times < 10; times++) {
    fail(['a', 'b'])
    fail(['a'], 2)
    fail(['a'], 1, 'node')
  }
  t.equal(blame.convicted('a'), undefined)
  t.equal(blame.convicted('b'), undefined)
})
