import { testEachBuild } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

testEachBuild('uses the second node while the first is frozen or lags behind', async (t, sdk) => {
  const { chain, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const follower = await chain.addFollower()
  const network = networkOf(services, chain, [follower.urls.rpc, chain.urls.rpc])
  const { moreCommitted, submit, assertExactlyOnce } = await startLoadedServer(t, network)
  await moreCommitted(30)

  follower.freeze()
  await moreCommitted(60)
  follower.thaw()
  await moreCommitted(30)

  await follower.kill()
  await chain.blocks(10)
  const catchingUp = follower.restart()
  await moreCommitted(60)
  await catchingUp

  chain.freeze()
  await submit(20)
  chain.thaw()
  await moreCommitted(30)
  await assertExactlyOnce()
})
