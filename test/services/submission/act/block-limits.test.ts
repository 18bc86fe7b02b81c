import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

const NONE = Number.POSITIVE_INFINITY

test('keeps the block limits that two nodes agree on until they agree on new ones', async t => {
  const other = { blockGas: 10_000_000, blockBytes: 800_000 }
  const { engine, script, time } = await engineContext(other)
  t.match(await engine.blockLimits.read(), { bytes: NONE }, 'of limits that differ, the higher one')
  script.blockBytes = 800_000
  time.elapsed += 30_000
  const agreed = await engine.blockLimits.read()
  t.match(agreed, { gas: 10_000_000, likelyGas: 10_000_000, bytes: 800_000, ceiling: NONE })
  script.blockGas = 60_000
  time.elapsed += 30_000
  t.strictSame(await engine.blockLimits.read(), agreed)
  other.blockGas = 60_000
  t.match(await engine.blockLimits.read(), agreed, 'the old limits are not stale yet')
  time.elapsed += 30_000
  t.match(await engine.blockLimits.read(), { gas: 60_000, likelyGas: 60_000, bytes: 800_000 })
})

test('forgets refused gas after a while, or once a transaction with more is accepted', async t => {
  const { engine, script, time } = await engineContext()
  const { setCeiling, accepted, read } = engine.blockLimits
  await read()
  setCeiling(2_000_000)
  for (const [elapsed, ceiling, loneCeiling] of [
    [29_999, 2_000_000, 2_000_000],
    [30_000, 2_000_000, NONE],
    [599_999, 2_000_000, NONE],
    [600_000, NONE, NONE]
  ] as const) {
    time.elapsed = elapsed
    t.match(await read(), { ceiling, loneCeiling })
  }
  setCeiling(2_000_000)
  accepted(2_000_000)
  t.match(await read(), { ceiling: 2_000_000 })
  accepted(2_000_001)
  t.match(await read(), { ceiling: NONE }, 'the chain accepts more')
  setCeiling(2_000_000)
  script.blockGas = 20_000_000
  time.elapsed += 60_000
  t.match(await read(), { ceiling: NONE }, 'the maximum gas of a block has changed')
})
