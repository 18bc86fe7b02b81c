import type { CatalogueChain } from '../../../services/chains/catalogue.ts'
import { catalogue } from '../../../services/chains/catalogue.ts'
import { family } from '../../../services/chains/families.ts'
import { test } from '../../helpers/tap.ts'

const NAMES = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')
for (const environment of ['mainnet', 'testnet'] as const) {
  test(`the ${environment} catalogue contains every chain in interface 4.1 with all fields`, async t => {
    const chains = catalogue[environment]
    t.same(
      chains.map(({ shortName }) => shortName),
      NAMES
    )
    t.equal(new Set(chains.map(({ id }) => id)).size, NAMES.length, 'ids are unique')
    for (const chain of chains) {
      t.equal(chain.testnet, environment === 'testnet')
      t.match(chain, {
        name: /./,
        nativeCurrency: { name: /./, symbol: /./, decimals: Number },
        compatibility:
          { BTC: 'BTC', SOL: 'SELF', TRX: 'SELF', CC: 'CC', BANK: 'BANK' }[String(chain.shortName)] ?? 'EVM'
      })
      t.same(chain.supportedLocations, locationsOf(chain))
      t.equal(chain.rpcUrls.default.http.length > 0, family(chain.shortName) !== 'FIAT')
      const urls = [...chain.rpcUrls.default.http, chain.blockExplorers.default.url]
      for (const url of family(chain.shortName) === 'FIAT' ? [] : urls) {
        t.match(url, /^https:\/\//)
      }
    }
  })
}

function locationsOf({ shortName }: CatalogueChain): string[] {
  if (shortName === 'BERA' || shortName === 'BTC') return ['target']
  return shortName === 'CC' || shortName === 'BANK' ? ['origin'] : ['origin', 'target']
}

test('EVM chains use their network’s chain id', async t => {
  const ids = (environment: 'mainnet' | 'testnet') =>
    Object.fromEntries(
      catalogue[environment]
        .filter(({ shortName }) => family(shortName) === 'EVM')
        .map(({ shortName, id }) => [shortName, id])
    )
  t.strictSame(ids('mainnet'), {
    ARB: 42161,
    AVX: 43114,
    BASE: 8453,
    BERA: 80094,
    BSC: 56,
    CFX: 1030,
    ETH: 1,
    OPT: 10,
    POL: 137,
    WLD: 480
  })
  t.strictSame(ids('testnet'), {
    ARB: 421614,
    AVX: 43113,
    BASE: 84532,
    BERA: 80069,
    BSC: 97,
    CFX: 71,
    ETH: 11155111,
    OPT: 11155420,
    POL: 80002,
    WLD: 4801
  })
})
