import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

/** Number of blocks that the node keeps: more than a server on a busy machine is behind. */
const RETAINED = 30
const MORE = RETAINED + 5

testEachBuild('a server that needs pruned blocks continues with a node that has them', async (t, sdk) => {
  const { chain, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const pruned = await chain.addFollower({ minRetainBlocks: RETAINED })
  const alone = networkOf(services, chain, [pruned.urls.rpc])
  const both = networkOf(services, chain, [pruned.urls.rpc, chain.urls.rpc])
  // Uses both nodes, because on a busy machine the pruning node might delete a block before the server reads it.
  const server = await startLoadedServer(t, both)
  await server.moreCommitted(30)
  await server.kill()
  await pruned.blocks(MORE)

  await server.restart(alone)
  await until(async () => (await server.blocker()) === 'history-pruned', '/ready reports history-pruned')
  await server.kill()

  // Restarts with a second node that still has the blocks.
  await server.restart(both)
  await server.moreCommitted(30)
  await server.assertExactlyOnce()
})
