import { keepingLog } from '../../helpers/keeping-log.ts'
import { rpc } from '../../helpers/rpc.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { SLOW_BLOCKS, startEngineAtNode, tally, waiting } from './engine-at-node.ts'

testEachBuild('waits while the mempool is full of the engine’s own transactions', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, mempoolSize: 1, maxBlockGas: 1_200_000 })
  const { log, entries } = keepingLog()
  const { submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain, { log })
  await submitMany(30)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
  t.ok(entries.some(({ fields }) => JSON.stringify(fields).includes('mempool is full')))
})

testEachBuild('executes pending transactions once even if the node loses its mempool', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitApart, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await submitApart(3)
  // With SDK 0.47, the application keeps the transactions in its own mempool and still proposes them.
  await rpc(chain.urls.rpc, 'unsafe_flush_mempool')
  t.equal(await waiting(chain), 0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
})
