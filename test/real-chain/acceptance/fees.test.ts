import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { BLOCKS, SLOW_BLOCKS, startEngineAtNode, tally } from './engine-at-node.ts'

testEachBuild('executes pending transactions while the minimum fee rises and falls', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitMany, submitApart, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const pending = await submitApart(3)
  for (const minGasPrices of ['0.1uSERVICE', '0.12uSERVICE', '0.01uSERVICE']) {
    await chain.restart({ ...BLOCKS, minGasPrices })
    await settled([...pending, ...(await submitMany(3))])
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 12 })
})

testEachBuild('sends nothing while a node requires far too high a fee', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { engine, submitMany, submitApart, untilBlocked, assertExactlyOnce } = await startEngineAtNode(
    t,
    chain
  )
  await submitApart(2)
  await chain.restart({ ...BLOCKS, minGasPrices: '5uSERVICE' })
  await submitMany(2)
  t.match(await untilBlocked('fee-too-high'), /required: \d+uSERVICE/)
  await chain.restart({ minGasPrices: '0.025uSERVICE' })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
  t.strictSame(engine.health().blockers, [])
})
