import { catalogue } from '../../../services/chains/catalogue.ts'
import { family } from '../../../services/chains/families.ts'
import { test } from '../../helpers/tap.ts'

const IDS = {
  mainnet:
    'ARB 42161 AVX 43114 BANK BASE 8453 BERA 80094 BSC 56 BTC 8253038 CC CFX 1030 ETH 1 OPT 10 POL 137 SOL 792703809 TRX 728126428 WLD 480',
  testnet:
    'ARB 421614 AVX 43113 BANK BASE 84532 BERA 80069 BSC 97 BTC 9092725 CC CFX 71 ETH 11155111 OPT 11155420 POL 80002 SOL 1936682084 TRX 3448148188 WLD 4801'
}

for (const environment of ['mainnet', 'testnet'] as const) {
  test(`the ${environment} catalogue lists the chains of interface 4.1 with unique ids`, async t => {
    const chains = catalogue[environment]
    const isRail = (shortName: string) => family(shortName) === 'FIAT'
    const ids = chains.map(({ shortName, id }) => (isRail(shortName) ? shortName : `${shortName} ${id}`))
    t.equal(ids.join(' '), IDS[environment])
    t.equal(new Set(chains.map(({ id }) => id)).size, chains.length)
    for (const { shortName, testnet, rpcUrls, blockExplorers } of chains) {
      t.equal(testnet, environment === 'testnet')
      const urls = [...rpcUrls.default.http, blockExplorers.default.url]
      t.equal(urls.length > 1, !isRail(shortName), shortName)
      for (const url of urls) t.match(url, isRail(shortName) ? /^$/ : /^https:\/\//, shortName)
    }
  })
}
