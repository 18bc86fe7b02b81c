import { p2pkh } from '@scure/btc-signer'
import { build, startNetwork } from '../../helpers/app.ts'
import { createBitcoinWallet } from '../../helpers/bitcoin-wallet.ts'
import { test } from '../../helpers/tap.ts'
import { createWidget, SHOP } from '../../widget/client.ts'
import { startBitcoin } from '../harness/bitcoin.ts'

test('a payment from a real Bitcoin node is locked, submitted and spent by the pool', async t => {
  const wallet = createBitcoinWallet(p2pkh)
  const { url: api, spenders } = await startBitcoin(t, wallet.address)
  const devnet = await startNetwork(t, { bitcoinUrl: api })
  const fees = { SERVICE_BACKEND_FEE_URL: `${devnet.urls.fees}/v3` }
  const server = await build(t, { ...fees, DOMAIN: SHOP, SERVICE_RESPONSE_FORMAT: 'widget' }, { devnet })
  const widget = createWidget(await server.listen({ host: '127.0.0.1', port: 0 }), 'service')
  const target = { chain: 'ETH', symbol: 'WBTC', address: widget.address }
  const { fields, record } = await widget.bitcoin(wallet, api, target, 0.5)
  t.match(record, { txstatus: 'Completed', originchain: 'BTC', pullhash: /^[0-9a-f]{64}$/ })
  const outpoint = `${fields.htlcCreationHash}:${fields.htlcCreationVout}`
  t.equal(spenders.get(outpoint), record?.['pullhash'])
})
