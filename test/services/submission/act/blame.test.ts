import type { Failure } from '../../../../services/submission/decide/block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

const refusal = { code: 11, codespace: 'sdk', message: 'out of gas' }
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

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

test('retries a failed transaction’s messages in halves, and a message named in the log on its own', async t => {
  for (const [messages, suspects, together] of [
    [9, 9, 4],
    [4, 4, 2],
    [3, 3, 1],
    [2, 2, 1],
    [9, 1, 1]
  ] as const) {
    const { blame, fail } = await blameWith()
    fail(ids(suspects), messages)
    t.strictSame(ids(suspects).map(blame.together), Array(suspects).fill(together))
    t.equal(blame.together('other'), undefined)
    t.equal(blame.resting, 0, 'none of the messages failed alone')
  }
})

test('pauses a message for 250 ms after it fails alone, and doubles each further pause up to ten minutes', async t => {
  const { blame, time, fail } = await blameWith()
  t.equal(blame.nextDueMs(), undefined)
  for (const pause of [250, 500, 1000]) {
    fail(['a'], 1, 'node')
    t.equal(blame.nextDueMs(), pause)
    time.elapsed += pause - 1
    t.ok(blame.isResting('a'))
    time.elapsed += 1
    t.notOk(blame.isResting('a'), 'the message is due again')
  }
  for (let times = 0; times < 20; times++) blame.rest('a')
  blame.rest('b')
  t.equal(blame.nextDueMs(), 250, 'the shortest of all pauses')
  blame.forget(['b', 'never seen'])
  t.equal(blame.nextDueMs(), 600_000)
})

for (const [title, failures, isConvicted] of [
  ['three alone in blocks', ['block', 'block', 'block'], true],
  ['three of the same kind among others', ['block', 'gas', 'block', 'gas', 'node', 'block'], true],
  ['two of each kind', ['block', 'gas', 'block', 'gas'], false],
  ['any number at a node', Array(10).fill('node'), false],
  ['three for the size before the fifth pause', ['size', 'size', 'size'], false],
  ['three for the size after it', Array(7).fill('size'), true],
  ['any number with other messages', Array(10).fill('together'), false]
] as const) {
  test(`a message is ${isConvicted ? '' : 'not '}convicted after failures: ${title}`, async t => {
    const { blame, fail } = await blameWith()
    for (const by of failures.slice(0, -1)) by === 'together' ? fail(['a'], 2) : fail(['a'], 1, by)
    t.equal(blame.convicted('a'), undefined)
    const last = failures.at(-1)
    last === 'together' ? fail(['a', 'b']) : fail(['a'], 1, last)
    t.strictSame(blame.convicted('a'), isConvicted ? refusal : undefined)
  })
}
