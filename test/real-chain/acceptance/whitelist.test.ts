import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'
import { openForeignWallet, whitelistMessage } from '../harness/transactions.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

async function setWhitelisted(chain: RealChain, whitelisted: boolean): Promise<void> {
  const { development, other } = chain.addresses
  const authority = await openForeignWallet(chain, OTHER_WALLET)
  await authority.execute([whitelistMessage(other, development, whitelisted)])
}

testEachBuild('accepts submissions only once the wallet is whitelisted', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  await setWhitelisted(chain, false)
  const { engine, submit, submitMany, untilBlocked, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await untilBlocked('wallet-not-whitelisted')
  await t.rejects(submit(), { code: 'WALLET_NOT_WHITELISTED', statusCode: 503 })
  await setWhitelisted(chain, true)
  await until(() => engine.health().blockers.length === 0, 'the engine has no blockers')
  await submitMany(3)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
})

testEachBuild('executes pending submissions after a removed wallet is whitelisted again', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, blockTimeMs: 1000 })
  const { engine, address, submit, submitMany, submitApart, settled, assertExactlyOnce } =
    await startEngineAtNode(t, chain)
  await settled(await submitMany(2))
  const authority = await openForeignWallet(chain, OTHER_WALLET)
  await authority.send([whitelistMessage(authority.address, address, false)])
  await submitApart(3)
  let accepted = 5
  const isRefused = () => engine.health().blockers.some(({ kind }) => kind === 'wallet-not-whitelisted')
  // SDK 0.47 orders transactions from several senders randomly, so these submissions might run before the whitelist
  // change. Later transactions cannot.
  while (!isRefused()) {
    await until(
      () => isRefused() || engine.health().unsettled === 0,
      'the submissions are refused or executed'
    )
    if (!isRefused() && (await submit().catch(() => undefined))) accepted += 1
  }
  await t.rejects(submit(), { code: 'WALLET_NOT_WHITELISTED', statusCode: 503 })
  await setWhitelisted(chain, true)
  await until(() => engine.health().blockers.length === 0, 'the engine has no blockers')
  await submit()
  t.strictSame(
    tally(await assertExactlyOnce()),
    { committed: accepted + 1 },
    'the whitelist rejects no submission'
  )
})
