import { OTHER_WALLET, walletAddresses } from '../../../packages/devnet/wallets.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { builds } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { SLOW_BLOCKS, startEngineAtNode, tally, waiting } from './engine-at-node.ts'

// Until a restarted node has its next block, its CheckTx runs as if at height 0: without a gas limit, and with account
// number 0.
for (const sdk of builds) {
  test(`SDK ${sdk}: a restarted node says that it took transactions, and drops them until its next block`, async t => {
    const chain = await startRealChain(t, { sdk })
    const { proxy, submitMany, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
    await settled(await submitMany(2))
    await chain.restart(SLOW_BLOCKS)
    const sent = proxy.calls('broadcast_tx_sync')
    await submitMany(3)
    await until(() => proxy.calls('broadcast_tx_sync') > sent, 'the node has checked the transaction')
    t.equal(await waiting(chain), 0, 'the mempool is empty')
    t.strictSame(tally(await assertExactlyOnce()), { committed: 5 })
  })

  test(`SDK ${sdk}: a restarted node refuses the signatures of other accounts until its next block`, async t => {
    const chain = await startRealChain(t, { sdk, whitelist: [walletAddresses('service').other] })
    const { engine, submitMany, settled, untilBlocked, assertExactlyOnce } = await startEngineAtNode(
      t,
      chain,
      {
        mnemonic: OTHER_WALLET
      }
    )
    await settled(await submitMany(2))
    await chain.restart(SLOW_BLOCKS)
    await submitMany(3)
    t.match(await untilBlocked('signature-refused'), /please verify account number \(0\)/)
    t.strictSame(tally(await assertExactlyOnce()), { committed: 5 })
    t.strictSame(engine.health().blockers, [])
  })
}
