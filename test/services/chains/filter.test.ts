import { type ChainFilterSettings, createChainFilter } from '../../../services/chains/filter.ts'
import { test } from '../../helpers/tap.ts'

const CASES: [string, ChainFilterSettings | undefined, { origin: string[]; target: string[] }][] = [
  ['no filter', undefined, { origin: ['ETH', 'SOL', 'CC', 'BANK', 'FIAT'], target: ['ETH', 'SOL'] }],
  [
    'a whitelist of origins',
    { origin: { mode: 'whitelist', chains: ['ETH', 'CC'] } },
    { origin: ['ETH', 'CC', 'FIAT'], target: ['ETH', 'SOL'] }
  ],
  [
    'a blacklist of origins',
    { origin: { mode: 'blacklist', chains: ['ETH', 'CC'] } },
    { origin: ['SOL', 'BANK', 'FIAT'], target: ['ETH', 'SOL'] }
  ],
  [
    'a blacklist of both rails',
    { origin: { mode: 'blacklist', chains: ['BANK', 'CC'] } },
    { origin: ['ETH', 'SOL'], target: ['ETH', 'SOL'] }
  ],
  [
    'a whitelist of targets',
    { target: { mode: 'whitelist', chains: ['SOL'] } },
    { origin: ['ETH', 'SOL', 'CC', 'BANK', 'FIAT'], target: ['SOL'] }
  ],
  [
    'a blacklist of targets beside a whitelist of origins',
    { origin: { mode: 'whitelist', chains: ['SOL'] }, target: { mode: 'blacklist', chains: ['SOL'] } },
    { origin: ['SOL'], target: ['ETH'] }
  ]
]

for (const [name, settings, allowed] of CASES) {
  test(`${name} filters each end separately`, async t => {
    const { allows } = createChainFilter(settings)
    for (const chain of ['ETH', 'SOL', 'CC', 'BANK', 'FIAT']) {
      t.equal(allows('origin', chain), allowed.origin.includes(chain), `origin ${chain}`)
    }
    for (const chain of ['ETH', 'SOL']) {
      t.equal(allows('target', chain), allowed.target.includes(chain), `target ${chain}`)
    }
  })
}
