import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { rpc } from '../../helpers/devnet/control.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { builds } from './builds.ts'
import { startRealChain } from './index.ts'
import {
  bankSend,
  blockGasMessage,
  broadcast,
  executed,
  openForeignWallet,
  whitelistMessage
} from './transactions.ts'

for (const sdk of builds) {
  test(`SDK ${sdk}: a chain with a follower that is frozen, stopped and killed`, async t => {
    const chain = await startRealChain(t, { sdk })
    const follower = await chain.addFollower()
    for (const [stop, go] of [
      [follower.freeze, follower.thaw],
      [follower.stop, follower.restart],
      [follower.kill, follower.restart]
    ] as const) {
      await stop()
      await chain.blocks(3)
      await go()
      const newest = await chain.height()
      await until(async () => (await follower.height()) >= newest, 'the follower has caught up')
    }
    await chain.kill()
    await chain.restart()
    await follower.blocks(2)
    t.pass('the follower follows the restarted chain')
  })

  test(`SDK ${sdk}: foreign transactions`, async t => {
    const chain = await startRealChain(t, { sdk })
    const { development, other } = chain.addresses
    const wallet = await openForeignWallet(chain)
    const authority = await openForeignWallet(chain, OTHER_WALLET)
    t.equal(wallet.address, development)
    const bytes = await wallet.sign([bankSend(development, other, 1n)])
    const { hash } = await broadcast(chain.urls.rpc, bytes)
    await t.rejects(broadcast(chain.urls.rpc, bytes), /tx already exists in cache/)
    await executed(chain.urls.rpc, hash)
    if (sdk === '0.53') await wallet.execute([bankSend(development, other, 1n)], { unordered: true })
    await authority.execute([
      whitelistMessage(other, other, true),
      await blockGasMessage(chain.urls.rpc, other, 30_000_000)
    ])
    const { result } = await rpc(chain.urls.rpc, 'consensus_params')
    t.match(result, { consensus_params: { block: { max_gas: '30000000' } } })
  })

  test(`SDK ${sdk}: a chain that continues an exported state`, async t => {
    const old = await startRealChain(t, { sdk })
    const { development, other } = old.addresses
    const { height } = await (await openForeignWallet(old)).execute([bankSend(development, other, 1n)])
    await old.blocks(1)
    await old.stop()
    const chain = await startRealChain(t, {
      sdk,
      chainId: 'service-real-2',
      continues: await old.exportGenesis()
    })
    t.ok((await chain.height()) > height, 'its heights continue')
    await (await openForeignWallet(chain)).execute([bankSend(development, other, 1n)])
  })
}
