import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

test('reads the block limits that two nodes agree on', async t => {
  const { engine, script } = await engineContext({ other: {} })
  script.blockBytes = 400_000
  t.strictSame(await engine.blockLimits.read(), {
    gas: 10_000_000,
    likelyGas: 10_000_000,
    bytes: 400_000,
    ceiling: Number.POSITIVE_INFINITY
  })
})

test('after a refusal, lowers the gas limit to the highest reported limit below the transaction’s gas', async t => {
  const { engine, script } = await engineContext({ other: { blockGas: 80_000 } })
  script.blockGas = 90_000
  t.equal(await engine.blockLimits.confirm(90_000), 90_000)
  t.match(await engine.blockLimits.read(), { gas: 100_000_000 }, 'no two nodes agree')
  t.equal(await engine.blockLimits.confirm(100_000), 90_000)
  t.match(await engine.blockLimits.read(), { gas: 90_000 })
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

test('forgets after 30 seconds how much gas the chain has refused', async t => {
  const { engine, time } = await engineContext()
  engine.blockLimits.setCeiling(2_000_000)
  time.elapsed += 29_999
  t.match(await engine.blockLimits.read(), { ceiling: 2_000_000 })
  time.elapsed += 1
  t.match(await engine.blockLimits.read(), { ceiling: Number.POSITIVE_INFINITY })
})
