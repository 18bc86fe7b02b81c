import type { SimulationResult } from '../../../../services/chain-client/index.ts'
import { createMempoolGate } from '../../../../services/submission/pack/mempool-gate.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, failed, passed, sequenceMismatch, unavailable } from '../engine-context.ts'

const expects = (sequence: number) => failed(sequenceMismatch(sequence, 7), 32)
const pass = passed(1)

/** Creates a gate that queries two nodes with the given responses. The store's next sequence is 7. */
async function gateBefore(first: SimulationResult, second: SimulationResult) {
  const answers = { first, second }
  const context = await engineContext({ other: { simulate: () => answers.second } })
  context.script.simulate = () => answers.first
  return { ...context, gate: createMempoolGate(context.engine), answers }
}

test('opens if no node expects a higher sequence, and queries the nodes only once', async t => {
  for (const first of [pass, expects(5), unavailable]) {
    const { gate, engine } = await gateBefore(first, pass)
    t.equal(await gate.pause(), 0)
    engine.chain.simulateEverywhere = () => Promise.reject(new Error('asked again'))
    t.equal(await gate.pause(), 0)
  }
})

test('stays shut while nodes expect a higher sequence, and checks again after a doubt is raised', async t => {
  const { gate, answers, kinds, time, engine } = await gateBefore(expects(8), expects(9))
  t.ok(await gate.pause())
  t.strictSame(kinds(), [], 'the next block may contain the unknown transaction')
  t.ok(await gate.pause())
  const reason = /^a node expects sequence 9, but the store's next one is 7:/
  t.match(engine.blockers.present, [{ kind: 'unknown-transactions', reason }])
  time.elapsed += 1_000_000
  t.ok(await gate.pause(), 'the gate does not open after any amount of time')
  answers.first = answers.second = pass
  t.equal(await gate.pause(), 0)
  t.strictSame(kinds(), [])
  answers.first = answers.second = expects(8)
  t.equal(await gate.pause(), 0)
  gate.doubt()
  t.ok(await gate.pause())
})

test('stays shut for a minute if only one node expects a higher sequence, and longer if no other node responds', async t => {
  for (const [other, isLong] of [
    [pass, false],
    [unavailable, true]
  ] as const) {
    const { gate, time, kinds, entries } = await gateBefore(expects(8), other)
    t.ok(await gate.pause())
    time.elapsed += 60_000
    gate.doubt()
    t.ok(await gate.pause(), 'a doubt starts the minute again')
    time.elapsed += 59_000
    t.ok(await gate.pause())
    t.strictSame(kinds(), ['unknown-transactions'])
    time.elapsed += 1000
    t.equal((await gate.pause()) > 0, isLong)
    t.equal(entries.at(-1)?.level, isLong ? 'error' : 'info')
    t.equal(entries.filter(({ level }) => level === 'warn').length, isLong ? 0 : 1)
  }
})

test('stays shut for only a minute if all nodes that expect a higher sequence are behind and another node contradicts them', async t => {
  for (const [isBehind, isLong] of [
    [true, false],
    [false, true]
  ] as const) {
    const { gate, time, engine } = await gateBefore(pass, pass)
    engine.chain.simulateEverywhere = async () => [
      { ...expects(8), node: 'a', isBehind: true },
      { ...expects(8), node: 'b', isBehind },
      { ...pass, node: 'c', isBehind: false }
    ]
    t.ok(await gate.pause())
    time.elapsed += 60_000
    t.equal((await gate.pause()) > 0, isLong)
  }
})

test('stays closed while no node responds, or if doubt() is called during the check', async t => {
  const mute = await gateBefore(unavailable, unavailable)
  t.ok(await mute.gate.pause())
  const { gate } = await gateBefore(pass, pass)
  const asked = gate.pause()
  gate.doubt()
  t.ok(await asked)
  t.equal(await gate.pause(), 0)
})
