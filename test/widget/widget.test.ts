import { createPublicClient, http } from 'viem'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import { build, STRICT, startNetwork } from '../helpers/app.ts'
import { createBitcoinWallet } from '../helpers/bitcoin-wallet.ts'
import { type Test, test } from '../helpers/tap.ts'
import { createWidget, SHOP } from './client.ts'

const BRAND = 'acme'
const TARGET = { chain: 'POL', symbol: 'USDC', address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72' }

/** Starts a server configured for the newer widget. @returns a widget that uses it */
async function shop(t: Test, feeApi = 'v3', options: Partial<DevnetOptions> = {}) {
  const devnet = await startNetwork(t, { brand: BRAND, ...options })
  const fees = { SERVICE_BACKEND_FEE_URL: `${devnet.urls.fees}/${feeApi}` }
  const format = { DOMAIN: SHOP, SERVICE_RESPONSE_FORMAT: 'widget' }
  const server = await build(t, { ...format, ...STRICT, ...fees }, { devnet })
  const widget = createWidget(await server.listen({ host: '127.0.0.1', port: 0 }), BRAND)
  return { devnet, widget }
}

test('the widget loads chains, pools and settings when mounted', async t => {
  const { widget } = await shop(t)
  t.match(await widget.environment(), { env: 'testnet' })
  for (const { chainName, poolAddress } of await widget.pools()) t.ok(poolAddress || chainName === 'BTC')
  for (const chain of await widget.chains()) {
    const [rpc] = chain.rpcUrls.default.http
    if (chain.compatibility !== 'EVM') continue
    const client = createPublicClient({ chain, transport: http(rpc) })
    t.equal(client.chain.id, chain.id, `viem accepts ${chain.shortName} unchanged`)
    t.match(`${chain.blockExplorers.default.url}/tx/0x00`, /^https:\/\/[^?#]+\/tx\/0x00$/)
  }
  t.match(await widget.compliance(widget.address), { isCompliant: true })
  const chains = { originchain: 'ETH', targetchain: 'ETH', originsymbol: /./, targetsymbol: /./ }
  t.match(await widget.liquidity(1), { tx_id: '1', ...chains, refundhash: '' })
})

for (const feeApi of ['v2', 'v3']) {
  test(`the widget completes every kind of payment with version ${feeApi} of the fee service`, async t => {
    const { widget } = await shop(t, feeApi)
    const user = { chain: 'ETH', symbol: 'USDT', address: widget.address }
    const [transfer, atTarget, fromBsc, toBsc, card, bank, swap] = await Promise.all([
      widget.transfer(user, TARGET, 100.5),
      widget.transfer(user, TARGET, 100.5, true),
      // BSC’s token has more decimals than the others.
      widget.transfer({ ...user, chain: 'BSC' }, TARGET, 100.25),
      widget.transfer(user, { ...TARGET, chain: 'BSC' }, 100.25),
      widget.payment('CC', 'USD', TARGET, 100),
      widget.payment('BANK', 'EUR', { ...TARGET, chain: 'BASE', symbol: 'EURC' }, 100),
      widget.swap(user, { ...TARGET, chain: 'AVX', symbol: 'EURC' }, 100)
    ])
    for (const { record } of [transfer, atTarget])
      t.match(record, { txstatus: 'Completed', originchain: 'ETH', pullhash: /./, releasehash: /./ })
    for (const { record } of [fromBsc, toBsc]) t.match(record, { txstatus: 'Completed', amount: 100.25 })
    t.match(card, { transactionId: /^[0-9a-f]{64}$/, record: { txstatus: 'Completed', originchain: 'FIAT' } })
    t.match(bank.record, { txstatus: 'Completed', originchain: 'FIAT', originsymbol: 'EUR' })
    for (const { txId, again } of [card, bank])
      t.equal(again, txId, 'a payment submitted twice is executed once')
    t.match(swap.record, { txstatus: 'Completed', amountIn: 100 })
  })
}

test('the widget pays with bitcoins, once they are locked', async t => {
  const { devnet, widget } = await shop(t, 'v3', { bitcoinBlockMs: 200 })
  const wallet = createBitcoinWallet()
  devnet.bitcoin.pay([[wallet.address, 2_000_000]])
  const target = { ...TARGET, chain: 'ETH', symbol: 'WBTC' }
  const { fields, record } = await widget.bitcoin(wallet, devnet.urls.bitcoin, target, 0.015)
  t.match(record, { txstatus: 'Completed', originchain: 'BTC', amount: 0.015 })
  const outpoint = `${fields.htlcCreationHash}:${fields.htlcCreationVout}`
  t.equal(devnet.bitcoin.spenders.get(outpoint), record?.['pullhash'], 'the pool has pulled the lock')
})
