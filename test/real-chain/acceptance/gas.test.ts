import { readChainOverRpc } from '../../helpers/oracle/index.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const OUT_OF_GAS = 11

testEachBuild('retries transactions that run out of gas in a block', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const settings = { gasMultiplier: '1' }
  const { address, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain, { settings })
  await submitMany(6)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
  const { failures } = await readChainOverRpc(chain.urls.rpc, address)
  t.ok(failures.includes(OUT_OF_GAS))
})
