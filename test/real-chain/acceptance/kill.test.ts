import { killRounds } from '../../faults/kill-rounds.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startServiceNetwork } from './engine-at-node.ts'

const BLOCK_TIME_MS = 300

testEachBuild('no transfer is lost or repeated when server and node are killed', async (t, sdk) => {
  const { chain, network } = await startServiceNetwork(t, { sdk, blockTimeMs: BLOCK_TIME_MS })
  await killRounds(t, { rounds: 5, network, submitTimeoutMs: BLOCK_TIME_MS * 1.5, node: chain })
})
