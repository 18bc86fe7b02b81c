import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

test('reads the block limits that two nodes agree on', async t => {
  const { engine, script } = await engineContext({ other: {} })
  script.blockBytes = 400_000
  t.strictSame(await engine.blockLimits.read(), {
    gas: 10_000_000,
    likelyGas: 10_000_000,
    bytes: 400_000,
    ceiling: Number.POSITIVE_INFINITY,
    loneCeiling: Number.POSITIVE_INFINITY
  })
})

test('keeps the agreed limits until they are stale and two nodes agree on new ones', async t => {
  const other = { blockGas: 10_000_000, blockBytes: 800_000 }
  const { engine, script, time } = await engineContext({ other })
  script.blockBytes = 800_000
  const agreed = await engine.blockLimits.read()
  script.blockGas = 60_000
  time.elapsed += 30_000
  t.strictSame(await engine.blockLimits.read(), agreed)
  other.blockGas = 60_000
  t.match(await engine.blockLimits.read(), agreed, 'the old limits are not stale yet')
  time.elapsed += 30_000
  t.match(await engine.blockLimits.read(), { gas: 60_000, likelyGas: 60_000, bytes: 800_000 })
})

test('forgets how much gas the chain has refused: after ten minutes or, for a lone message, after 30 seconds', async t => {
  const { engine, time } = await engineContext()
  engine.blockLimits.setCeiling(2_000_000)
  for (const [elapsed, ceiling, loneCeiling] of [
    [29_999, 2_000_000, 2_000_000],
    [30_000, 2_000_000, Number.POSITIVE_INFINITY],
    [599_999, 2_000_000, Number.POSITIVE_INFINITY],
    [600_000, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  ] as const) {
    time.elapsed = elapsed
    t.match(await engine.blockLimits.read(), { ceiling, loneCeiling })
  }
})

test('forgets how much gas the chain has refused when the maximum gas of a block changes', async t => {
  const { engine, script, time } = await engineContext()
  await engine.blockLimits.read()
  engine.blockLimits.setCeiling(2_000_000)
  time.elapsed += 60_000
  t.match(await engine.blockLimits.read(), { ceiling: 2_000_000 })
  script.blockGas = 20_000_000
  time.elapsed += 60_000
  t.match(await engine.blockLimits.read(), { ceiling: Number.POSITIVE_INFINITY })
})
