import { test } from 'tap'
import { builds } from '../harness/builds.ts'
import { startLoadedServer } from './loaded-server.ts'
import { startServiceNetwork } from './service-network.ts'

for (const sdk of builds) {
  test(`SDK ${sdk}: the node is stopped and killed under load, and started again`, async t => {
    const { chain, network } = await startServiceNetwork(t, { sdk })
    const { moreCommitted, submit, assertExactlyOnce } = await startLoadedServer(t, network)
    for (const end of [chain.stop, chain.kill, chain.kill]) {
      await moreCommitted(30)
      await end()
      await submit(10)
      await chain.restart()
    }
    await moreCommitted(30)
    await assertExactlyOnce()
  })
}
