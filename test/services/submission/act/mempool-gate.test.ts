import { createMempoolGate } from '../../../../services/submission/act/mempool-gate.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, failed, passed, unavailable } from './engine-context.ts'

/** The store's next sequence is 7. */
const expects = (sequence: number) =>
  failed(`account sequence mismatch, expected ${sequence}, got 7: incorrect account sequence`, 32)
const higher = expects(8)
const pass = passed(1)
const behind = { ...higher, isBehind: true }

// The nodes' answers, and whether new slots may be signed at once and after a minute.
for (const [title, answers, atOnce, afterAMinute] of [
  ['no node expects a higher sequence', [pass, expects(5)], true, true],
  ['the only node that responds expects a lower one', [expects(5), unavailable], true, true],
  ['no node responds', [unavailable, unavailable], false, false],
  ['both nodes expect a higher one', [higher, expects(9)], false, false],
  ['one node expects a higher one, and the other contradicts it', [higher, pass], false, true],
  ['one node expects a higher one, and the other does not respond', [higher, unavailable], false, false],
  [
    'two lagging nodes expect a higher one, and a third contradicts them',
    [behind, behind, pass],
    false,
    true
  ],
  [
    'two nodes, one of them lagging, expect a higher one, and a third does not',
    [behind, higher, pass],
    false,
    false
  ]
] as const) {
  const outcome = atOnce ? 'immediately' : afterAMinute ? 'after a minute' : 'never'
  test(`${outcome} allows new slots if ${title}`, async t => {
    const { engine, time, kinds } = await engineContext()
    const gate = createMempoolGate(engine)
    engine.chain.simulateEverywhere = async () =>
      answers.map((answer, index) => ({ isBehind: false, ...answer, node: `${index}` }))
    t.equal((await gate.pause()) === 0, atOnce)
    t.strictSame(kinds(), [], 'the next block may contain the unknown transaction')
    time.elapsed += 60_000
    if (!atOnce) gate.close()
    t.equal((await gate.pause()) === 0, atOnce, 'a doubt starts the minute again')
    time.elapsed += 59_000
    t.equal((await gate.pause()) === 0, atOnce)
    const isClaimed = !atOnce && answers[0] !== unavailable
    t.strictSame(kinds(), isClaimed ? ['unknown-transactions'] : [])
    time.elapsed += 1000
    t.equal((await gate.pause()) === 0, afterAMinute)
    if (afterAMinute) t.strictSame(kinds(), [])
  })
}

test('new slots stay forbidden if the gate is closed again during its check', async t => {
  const { engine } = await engineContext()
  const gate = createMempoolGate(engine)
  const asked = gate.pause()
  gate.close()
  t.ok(await asked)
  t.equal(await gate.pause(), 0)
})
