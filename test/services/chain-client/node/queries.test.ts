import { DEVELOPMENT_WALLET } from '../../../../packages/devnet/wallets.ts'
import { createRpcNode } from '../../../../services/chain-client/node/index.ts'
import { systemClock } from '../../../../services/clock.ts'
import { createSigner } from '../../../../services/wallet/signer.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { test } from '../../../helpers/tap.ts'
import { until } from '../../../helpers/until.ts'

test('reads an account at the requested height, or at the newest', async t => {
  const devnet = await startNetwork(t)
  const node = createRpcNode({ url: devnet.urls.rpc, timeoutMs: 60_000, clock: systemClock })
  t.teardown(() => node.close())
  const { address } = await createSigner({ mnemonic: DEVELOPMENT_WALLET, prefix: 'service' })
  const { height } = devnet.chain
  await until(() => devnet.chain.height > height, 'a block is made')
  await devnet.control.send({ from: 'development' })
  const sent = devnet.chain.height + 1
  await until(() => devnet.chain.height > sent, 'the transaction is in a block')
  t.match(await node.account(address, height), { sequence: 0 })
  t.match(await node.account(address), { sequence: 1 })
})
