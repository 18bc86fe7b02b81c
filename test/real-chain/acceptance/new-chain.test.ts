import { operatorTool } from '../../helpers/operator.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { builds } from '../harness/builds.ts'
import { type RealChain, type RealNode, startRealChain } from '../harness/index.ts'
import { moveWithDecisions, UNDECIDABLE } from './decide.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

const NEW_ID = 'service-real-2'

/**
 * A server under load at a follower. The follower makes no blocks of its own, so that the old chain ends with its
 * validator.
 */
async function startAtFollower(t: Test, sdk: RealChain['sdk']) {
  const { chain: old, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const follower = await old.addFollower()
  const server = await startLoadedServer(t, networkOf(services, old, [follower.urls.rpc]))
  await server.moreCommitted(30)
  return { old, services, follower, server }
}

/** Starts the chain that continues the follower's state. The follower then has the old blocks, and makes none. */
async function restartChain(t: Test, old: RealChain, follower: RealNode) {
  const last = await follower.height()
  await follower.stop()
  const continues = await old.exportGenesis(follower)
  const chain = await startRealChain(t, { sdk: old.sdk, chainId: NEW_ID, continues })
  await follower.restart()
  const move = ['move-to-chain', 'new-chain', '--chain-id', NEW_ID, '--last-height', String(last)]
  return { chain, last, move }
}

for (const sdk of builds) {
  test(`SDK ${sdk}: the chain is restarted from its exported state under another id`, async t => {
    const { old, services, follower, server } = await startAtFollower(t, sdk)
    await old.kill()
    await server.submit(20, follower)
    await server.kill()
    const { chain, last, move } = await restartChain(t, old, follower)
    const continued = { ...networkOf(services, chain), earlier: [follower.urls.rpc] }
    const tool = operatorTool(t, continued, { SERVICE_DATA_DIR: server.directory })
    const { code, out, err } = await tool(...move, '--node', follower.urls.rpc)
    t.strictSame({ code, err }, { code: 0, err: '' })
    t.match(out, /[1-9]\d* open slots of service-real-1 are closed/)
    await server.restart(continued)
    await server.moreCommitted(30)
    await server.assertExactlyOnce(continued)
    t.match(await tool('verify', '--from', String(last + 1)), { code: 0, err: '' })
  })

  test(`SDK ${sdk}: the same, and no node has the blocks that the server has not read`, async t => {
    const { old, services, follower, server } = await startAtFollower(t, sdk)
    old.freeze()
    await server.submit(20, follower)
    await server.kill()
    old.thaw()
    await follower.blocks(5)
    await old.kill()
    const { chain, move } = await restartChain(t, old, follower)
    const continued = { ...networkOf(services, chain), earlier: [follower.urls.rpc] }
    const records = { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chain.urls.rest }
    const tool = operatorTool(t, continued, { SERVICE_DATA_DIR: server.directory, ...records })
    t.comment(await moveWithDecisions(t, tool, move, follower.urls.rpc))
    await server.restart(continued)
    await server.moreCommitted(30)
    await server.assertExactlyOnce(continued, UNDECIDABLE)
  })
}
