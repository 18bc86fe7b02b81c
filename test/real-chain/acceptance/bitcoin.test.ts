import { p2pkh } from '@scure/btc-signer'
import { createBitcoinPool } from '../../../packages/devnet/bitcoin/pool.ts'
import type { TransactionRecord } from '../../../packages/devnet/modules/transfer/record.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { createBitcoinWallet } from '../../helpers/bitcoin-wallet.ts'
import { test } from '../../helpers/tap.ts'
import { createWidget, SHOP } from '../../widget/client.ts'
import { startBitcoin } from '../harness/bitcoin.ts'

test('a real Bitcoin node accepts the sender’s lock, and the pull by the pool’s key', async t => {
  const wallet = createBitcoinWallet(p2pkh)
  const { url: api, spenders } = await startBitcoin(t, wallet.address)
  const devnet = await startNetwork(t, { bitcoinUrl: api })
  const server = await build(t, { DOMAIN: SHOP, SERVICE_RESPONSE_FORMAT: 'widget' }, { devnet })
  const widget = createWidget(await server.listen({ host: '127.0.0.1', port: 0 }), 'service')
  const fields = await widget.lock(wallet, api, widget.address, 50_000_000)
  const { htlcCreationHash: txid, htlcCreationVout: vout } = fields
  const lock = { senderKey: wallet.publicKey, timeout: Number(fields.htlcExpirationTimestamp), txid, vout }
  const pulled = await createBitcoinPool(() => api).move('pull', { lock } as TransactionRecord)
  t.equal(spenders.get(`${txid}:${vout}`), pulled)
})
