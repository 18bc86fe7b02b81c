import { testEachBuild } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { startServiceNetwork } from './service-network.ts'

const TOGETHER = 3

testEachBuild('loses nothing when the node is killed, alone or with the server', async (t, sdk) => {
  const { chain, network } = await startServiceNetwork(t, { sdk })
  const server = await startLoadedServer(t, network)
  for (const end of [chain.stop, chain.kill]) {
    await server.moreCommitted(30)
    await end()
    await server.submit(10)
    await chain.restart()
  }
  for (let round = 1; round <= TOGETHER; round += 1) {
    await server.moreCommitted(10)
    await Promise.all([server.kill(), chain.kill()])
    await chain.restart()
    await server.restart()
  }
  await server.moreCommitted(30)
  await server.assertExactlyOnce()
})
