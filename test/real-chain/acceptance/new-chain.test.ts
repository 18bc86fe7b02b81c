import { join } from 'node:path'
import Database from 'libsql'
import { walletStateOf } from '../../../packages/operator/context.ts'
import { operatorQueries, operatorTool } from '../../helpers/operator.ts'
import { procedureSql } from '../../helpers/procedures.ts'
import type { Test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, type RealNode, startRealChain } from '../harness/index.ts'
import { startLoadedServer } from './loaded-server.ts'
import { networkOf, startServiceNetwork } from './service-network.ts'

const NEW_ID = 'service-real-2'

/** Starts a server under load at a follower. The old chain ends when its validator stops. */
async function startAtFollower(t: Test, sdk: RealChain['sdk']) {
  const { chain: old, services } = await startServiceNetwork(t, { sdk, blockTimeMs: 500 })
  const follower = await old.addFollower()
  const server = await startLoadedServer(t, networkOf(services, old, [follower.urls.rpc]))
  await server.moreCommitted(30)
  return { old, services, follower, server }
}

async function restartChain(t: Test, old: RealChain, follower: RealNode) {
  const last = await follower.height()
  await follower.stop()
  const continues = await old.exportGenesis(follower)
  const chain = await startRealChain(t, { sdk: old.sdk, chainId: NEW_ID, continues })
  await follower.restart()
  return { chain, last }
}

testEachBuild('continues when the chain restarts from its state with another chain id', async (t, sdk) => {
  const { old, services, follower, server } = await startAtFollower(t, sdk)
  await old.kill()
  await server.submit(20, follower)
  await server.kill()
  const { chain, last } = await restartChain(t, old, follower)
  const files = { SERVICE_DATA_DIR: server.directory }
  // The restarted server reads the old chain to its last block.
  await server.restart(networkOf(services, old, [follower.urls.rpc]))
  const queries = await operatorQueries(t, networkOf(services, old, [follower.urls.rpc]), files)
  await until(async () => (await walletStateOf(queries)).cursorHeight === last, 'the last block is read')
  await server.kill()
  const { address, chainId } = await walletStateOf(queries)
  const database = new Database(join(server.directory, 'submissions.db'))
  database.exec(procedureSql('New chain id', { ADDRESS: address, OLD: chainId, LAST: last }))
  database.close()
  const continued = { ...networkOf(services, chain), earlier: [follower.urls.rpc] }
  await server.restart(continued)
  await server.moreCommitted(30)
  await server.assertExactlyOnce(continued)
  const tool = operatorTool(t, continued, files)
  t.match(await tool('verify', '--from', String(last + 1)), { code: 0, err: '' })
})
