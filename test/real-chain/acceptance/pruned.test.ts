import { test } from 'tap'
import { until } from '../../helpers/until.ts'
import { builds } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

for (const sdk of builds) {
  test(`SDK ${sdk}: the first node has deleted the blocks that the server missed`, async t => {
    const { chain, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
    const pruned = await chain.addFollower({ minRetainBlocks: 5 })
    const alone = networkOf(services, chain, [pruned.urls.rpc])
    const both = networkOf(services, chain, [pruned.urls.rpc, chain.urls.rpc])
    const { moreCommitted, kill, restart, impediment, assertExactlyOnce } = await startLoadedServer(t, alone)
    await moreCommitted(30)
    await kill()
    await pruned.blocks(10)

    await restart(alone)
    await until(async () => (await impediment()) === 'history-pruned', '/ready says that blocks are gone')
    await kill()

    await restart(both)
    await moreCommitted(30)
    await assertExactlyOnce()
  })
}
