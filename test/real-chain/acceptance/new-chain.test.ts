import { test } from 'tap'
import { operatorTool } from '../../helpers/operator.ts'
import { builds } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

const NEW_ID = 'service-real-2'

for (const sdk of builds) {
  test(`SDK ${sdk}: the chain is restarted from its exported state under another id, under load`, async t => {
    const { chain: old, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
    // It makes no blocks of its own, so that the old chain ends with the validator.
    const follower = await old.addFollower()
    const network = networkOf(services, old, [follower.urls.rpc])
    const { moreCommitted, submit, kill, restart, directory, assertExactlyOnce } = await startLoadedServer(
      t,
      network
    )
    await moreCommitted(30)
    await old.kill()
    await submit(20)
    await kill()

    const last = await follower.height()
    await follower.stop()
    const chain = await startRealChain(t, {
      sdk,
      chainId: NEW_ID,
      continues: await old.exportGenesis(follower)
    })
    await follower.restart()
    const continued = { ...networkOf(services, chain), earlier: [follower.urls.rpc] }
    const tool = operatorTool(t, continued, directory)
    const move = ['move-to-chain', 'new-chain', '--chain-id', NEW_ID, '--last-height', String(last)]
    const { code, out, err } = await tool(...move, '--node', follower.urls.rpc)
    t.comment(out)
    t.equal(err, '')
    t.equal(code, 0)

    await restart(continued)
    await moreCommitted(30)
    await assertExactlyOnce(continued)
    t.match(await tool('verify', '--from', String(last + 1)), { code: 0, err: '' })
  })
}
