import { catalogue, catalogueChain } from '../../../services/chains/catalogue.ts'
import { family } from '../../../services/chains/families.ts'
import type { CatalogueChain } from '../../../services/chains/types.ts'
import { viemExtract } from '../../../services/chains/viem-extract.ts'
import { test } from '../../helpers/tap.ts'
import { extractFromViem } from './viem-extract.ts'

const NAMES = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')
for (const environment of ['mainnet', 'testnet'] as const) {
  test(`the ${environment} catalogue has every chain of interface 4.1, each complete`, async t => {
    const chains = catalogue(environment)
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
      t.equal(chain.rpcUrls.default.http.length > 0, family(chain.shortName) !== 'RAIL')
      const urls = [...chain.rpcUrls.default.http, chain.blockExplorers.default.url]
      for (const url of family(chain.shortName) === 'RAIL' ? [] : urls) {
        t.match(url, /^https:\/\//)
      }
    }
  })
}

function locationsOf({ shortName }: CatalogueChain): string[] {
  if (shortName === 'BERA' || shortName === 'BTC') return ['target']
  return shortName === 'CC' || shortName === 'BANK' ? ['origin'] : ['origin', 'target']
}

test('the EVM chains are those of the installed viem', async t => {
  t.same(viemExtract, extractFromViem())
  t.match(catalogueChain('mainnet', 'ETH'), {
    id: 1,
    name: 'Ethereum',
    rpcUrls: { default: { http: [/^https:/] } }
  })
})

test('every chain and rail has its family, and unknown names have none', async t => {
  t.equal(family('ETH'), 'EVM')
  t.equal(family('SOL'), 'SOL')
  t.equal(family('TRX'), 'TRX')
  t.equal(family('BTC'), 'BTC')
  for (const rail of ['CC', 'BANK', 'FIAT']) t.equal(family(rail), 'RAIL')
  for (const name of ['', 'eth', 'XYZ', 'toString', '__proto__']) t.equal(family(name), undefined)
})
