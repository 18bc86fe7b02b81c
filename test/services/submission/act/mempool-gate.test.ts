import { createMempoolGate } from '../../../../services/submission/act/mempool-gate.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, failed, passed, unavailable } from './engine-context.ts'

/** The store's next sequence is 7. */
const expects = (sequence: number) =>
  failed(`account sequence mismatch, expected ${sequence}, got 7: incorrect account sequence`, 32)
const higher = expects(8)
const pass = passed(1)
const behind = { ...higher, isBehind: true }

/** The nodes' responses, and when new slots may be signed. */
const ROWS: [what: string, responses: object[], when: 'immediately' | 'after a minute' | 'never'][] = [
  ['no node expects a higher sequence', [pass, expects(5)], 'immediately'],
  ['the only node that responds expects a lower one', [expects(5), unavailable], 'immediately'],
  ['no node responds', [unavailable, unavailable], 'never'],
  ['both nodes expect a higher one', [higher, expects(9)], 'never'],
  ['one expects a higher one, and the other contradicts it', [higher, pass], 'after a minute'],
  ['one expects a higher one, and the other does not respond', [higher, unavailable], 'never'],
  ['two lagging ones expect a higher one, and a third does not', [behind, behind, pass], 'after a minute'],
  ['two expect a higher one, only one lagging, and a third does not', [behind, higher, pass], 'never']
]

for (const [what, responses, when] of ROWS) {
  test(`new slots are allowed ${when} if ${what}`, async t => {
    const atOnce = when === 'immediately'
    const { engine, time, kinds } = await engineContext()
    const gate = createMempoolGate(engine)
    engine.chain.simulateEverywhere = async () =>
      responses.map((response, index) => ({ ...pass, isBehind: false, ...response, node: `${index}` }))
    t.equal((await gate.pause()) === 0, atOnce)
    t.strictSame(kinds(), [], 'the next block may contain the unknown transaction')
    time.elapsed += 60_000
    if (!atOnce) gate.close()
    t.equal((await gate.pause()) === 0, atOnce, 'a doubt starts the minute again')
    time.elapsed += 59_000
    t.equal((await gate.pause()) === 0, atOnce)
    const isClaimed = !atOnce && responses[0] !== unavailable
    t.strictSame(kinds(), isClaimed ? ['unknown-transactions'] : [])
    time.elapsed += 1000
    t.equal((await gate.pause()) === 0, when !== 'never')
    if (when !== 'never') t.strictSame(kinds(), [])
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
