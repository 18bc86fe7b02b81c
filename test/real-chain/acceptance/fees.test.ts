import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { SLOW_BLOCKS, startEngineAtNode, tally } from './engine-at-node.ts'

testEachBuild('executes pending transactions while the minimum fee rises and falls', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitMany, submitApart, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const pending = await submitApart(3)
  for (const minGasPrices of ['0.1uSERVICE', '0.12uSERVICE', '0.01uSERVICE']) {
    await chain.restart({ blockTimeMs: 300, minGasPrices })
    await settled([...pending, ...(await submitMany(3))])
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 12 })
})
