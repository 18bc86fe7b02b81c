import { operatorTool } from '../../helpers/operator.ts'
import { rpc } from '../../helpers/rpc.ts'
import { testEachBuild } from '../harness/builds.ts'
import { SLOW_BLOCKS, startEngineAtNode, startServiceNetwork } from './engine-at-node.ts'

/** Whether the node loses the original before the re-signed one arrives. SDK 0.47 keeps a copy of the original. */
const MEMPOOLS = { 'still has the original transaction': false, 'has lost the original transaction': true }

for (const [name, isLost] of Object.entries(MEMPOOLS)) {
  testEachBuild(`executes a re-signed slot exactly once if the node ${name}`, async (t, sdk) => {
    const { chain, network } = await startServiceNetwork(t, { sdk, ...SLOW_BLOCKS })
    const { directory, submitApart, stop, restart, assertExactlyOnce } = await startEngineAtNode(t, chain)
    await submitApart(2)
    await stop()
    const tool = operatorTool(t, network, { SERVICE_DATA_DIR: directory })
    for (const slot of ['0', '1']) {
      t.match(await tool('bump-fee', slot, '--gas-price', '0.05', '--max-fee', '100000'), { code: 0 })
    }
    if (isLost) await rpc(chain.urls.rpc, 'unsafe_flush_mempool')
    await restart()
    t.strictSame(await assertExactlyOnce(), { committed: 2 })
  })
}
