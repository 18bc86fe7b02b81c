import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

/** Blocks that the node keeps: more than a server on a busy machine is behind when it starts. */
const RETAINED = 30
const MORE = RETAINED + 5

testEachBuild('a server stopped for longer than a node keeps blocks needs another node', async (t, sdk) => {
  const { chain, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const pruned = await chain.addFollower({ minRetainBlocks: RETAINED })
  const alone = networkOf(services, chain, [pruned.urls.rpc])
  const both = networkOf(services, chain, [pruned.urls.rpc, chain.urls.rpc])
  // At both nodes: on a busy machine, one may have deleted a block before it is read.
  const server = await startLoadedServer(t, both)
  await server.moreCommitted(30)
  await server.kill()
  await pruned.blocks(MORE)

  await server.restart(alone)
  await until(async () => (await server.blocker()) === 'history-pruned', '/ready says that blocks are gone')
  await server.kill()

  // Now with a node that has the blocks.
  await server.restart(both)
  await server.moreCommitted(30)
  await server.assertExactlyOnce()
})
