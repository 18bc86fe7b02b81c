import { test } from '../../../helpers/tap.ts'
import { engineContext } from '../engine-context.ts'

test('what a block may hold is what two nodes report, with a quarter of its bytes for a batch', async t => {
  const { engine, script } = await engineContext({ other: {} })
  script.blockBytes = 400_000
  t.strictSame(await engine.blockLimits.read(), {
    gas: 10_000_000,
    likelyGas: 10_000_000,
    batchBytes: 100_000
  })
})

test('a node that understates the limits of a block, beside an honest one, makes nothing smaller', async t => {
  const { engine, script } = await engineContext({ other: { blockGas: 10_000_000, blockBytes: 2_000_000 } })
  Object.assign(script, { blockGas: 60_000, blockBytes: 1 })
  t.match(await engine.blockLimits.read(), { likelyGas: 10_000_000, batchBytes: 400_000 })
})

test('a refused transaction lowers the limit to the highest answer below its gas, and to none above it', async t => {
  const { engine, script } = await engineContext({ other: { blockGas: 80_000 } })
  script.blockGas = 90_000
  t.equal(await engine.blockLimits.isBelow(90_000), false)
  t.match(await engine.blockLimits.read(), { gas: 100_000_000 }, 'no two nodes agree')
  t.equal(await engine.blockLimits.isBelow(100_000), true)
  t.match(await engine.blockLimits.read(), { gas: 90_000 })
})

test('a node that changes the limits alone is not believed, and both are once the limits are old', async t => {
  const other = { blockGas: 10_000_000, blockBytes: 800_000 }
  const { engine, script, time } = await engineContext({ other })
  script.blockBytes = 800_000
  const agreed = await engine.blockLimits.read()
  script.blockGas = 60_000
  time.elapsed += 30_000
  t.strictSame(await engine.blockLimits.read(), agreed)
  other.blockGas = 60_000
  t.match(await engine.blockLimits.read(), agreed, 'still fresh')
  time.elapsed += 30_000
  t.match(await engine.blockLimits.read(), { gas: 60_000, likelyGas: 60_000, batchBytes: 200_000 })
})
