import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { openForeignWallet, whitelistMessage } from '../harness/transactions.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

testEachBuild('accepts submissions only once the wallet is whitelisted', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const authority = await openForeignWallet(chain, OTHER_WALLET)
  const setWhitelisted = (whitelisted: boolean) =>
    authority.execute([whitelistMessage(authority.address, chain.addresses.development, whitelisted)])
  await setWhitelisted(false)
  const { engine, submit, submitMany, untilBlocked, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await untilBlocked('wallet-not-whitelisted')
  await t.rejects(submit(), { code: 'WALLET_NOT_WHITELISTED', statusCode: 503 })
  await setWhitelisted(true)
  await until(() => engine.health().blockers.length === 0, 'the engine has no blockers')
  await submitMany(3)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
})
