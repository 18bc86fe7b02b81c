import { catalogue } from '../../../services/chains/catalogue.ts'
import { family } from '../../../services/chains/families.ts'
import { test } from '../../helpers/tap.ts'

const NAMES = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')
const IDS = {
  mainnet:
    'ARB 42161 AVX 43114 BASE 8453 BERA 80094 BSC 56 BTC 8253038 CFX 1030 ETH 1 OPT 10 POL 137 SOL 792703809 TRX 728126428 WLD 480',
  testnet:
    'ARB 421614 AVX 43113 BASE 84532 BERA 80069 BSC 97 BTC 9092725 CFX 71 ETH 11155111 OPT 11155420 POL 80002 SOL 1936682084 TRX 3448148188 WLD 4801'
}
/** Name, native coin and RPC URL of the chains that are not from viem. */
const OTHERS = {
  mainnet: [
    'Bank transfer, EUR 2, ',
    'Bitcoin, BTC 8, https://mempool.space/api',
    'Credit card, USD 2, ',
    'Solana, SOL 9, https://api.mainnet-beta.solana.com'
  ],
  testnet: [
    'Bank transfer, EUR 2, ',
    'Bitcoin Testnet, BTC 8, https://mempool.space/testnet4/api',
    'Credit card, USD 2, ',
    'Solana Devnet, SOL 9, https://api.devnet.solana.com'
  ]
}

for (const environment of ['mainnet', 'testnet'] as const) {
  test(`the ${environment} catalogue contains every chain in interface 4.1 with a unique id and https URLs`, async t => {
    const chains = catalogue[environment]
    t.same(
      chains.map(({ shortName }) => shortName),
      NAMES
    )
    t.equal(new Set(chains.map(({ id }) => id)).size, NAMES.length)
    for (const { shortName, testnet, rpcUrls, blockExplorers } of chains) {
      t.equal(testnet, environment === 'testnet')
      const urls = [...rpcUrls.default.http, blockExplorers.default.url]
      t.equal(urls.length > 1, family(shortName) !== 'FIAT', shortName)
      for (const url of urls) t.match(url, family(shortName) === 'FIAT' ? /^$/ : /^https:\/\//, shortName)
    }
    const cryptos = chains.filter(({ shortName }) => family(shortName) !== 'FIAT')
    t.equal(cryptos.map(({ shortName, id }) => `${shortName} ${id}`).join(' '), IDS[environment])
    const others = chains.filter(({ shortName }) => /^(BANK|BTC|CC|SOL)$/.test(shortName))
    t.same(
      others.map(({ name, nativeCurrency: { symbol, decimals }, rpcUrls }) => {
        return `${name}, ${symbol} ${decimals}, ${rpcUrls.default.http}`
      }),
      OTHERS[environment]
    )
  })
}
