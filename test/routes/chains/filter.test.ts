import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../../helpers/app.ts'
import { patientGet } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'

const ALL = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')
const RAILS = ['BANK', 'CC']
const without = (...names: string[]) => ALL.filter(name => !names.includes(name))

interface Expectation {
  filter: object
  /** Chains and rails that each list must contain. */
  listed: string[]
  /** Chains and rails that can pay to ETH (`toEth`) and to SOL (`toSol`). */
  toEth: string[]
  toSol: string[]
}

const FILTERS: Record<string, Expectation> = {
  'a whitelist with a blacklist': {
    filter: {
      origin: { mode: 'whitelist', chains: ['AVX', 'ETH'] },
      target: { mode: 'blacklist', chains: without('ETH', 'SOL', 'BANK', 'CC') }
    },
    listed: ['AVX', 'ETH', 'SOL'],
    toEth: ['AVX'],
    toSol: ['AVX', 'ETH']
  }
}

async function names(app: FastifyInstance, url: string): Promise<string[]> {
  return (await patientGet(app, url)).json().Chains.sort()
}

test('the chain filter', async t => {
  const devnet = await startNetwork(t)
  for (const [name, { filter, listed, toEth, toSol }] of Object.entries(FILTERS)) {
    t.test(`${name} applies to every listing`, async t => {
      const app = await build(t, { SERVICE_CHAIN_FILTER: JSON.stringify(filter) }, { devnet })
      const cryptos = listed.filter(chain => !RAILS.includes(chain))

      const chains: { shortName: string }[] = (await patientGet(app, '/chains')).json()
      t.same(
        chains.map(({ shortName }) => shortName),
        listed
      )
      t.same(await names(app, '/chains/names'), listed)
      t.same(await names(app, '/chains/get_available_chains/ETH'), toEth)
      t.same(await names(app, '/chains/get_available_chains/SOL'), toSol)

      const registry: { Chain: { symbol: string }[]; pagination: { total: number } } = (
        await patientGet(app, '/chains/chain')
      ).json()
      const anyRail = listed.some(chain => RAILS.includes(chain))
      t.same(
        registry.Chain.map(({ symbol }) => symbol).sort(),
        [...cryptos, ...(anyRail ? ['FIAT'] : [])].sort()
      )
      t.equal(registry.pagination.total, registry.Chain.length)

      const pools: { chainName: string }[] = (await patientGet(app, '/chains/pool')).json()
      t.same(
        pools.map(({ chainName }) => chainName),
        cryptos
      )
      const { poolBalance } = (await patientGet(app, '/chains/pool_balance')).json()
      t.same(poolBalance.map(({ chainName }: { chainName: string }) => chainName).sort(), cryptos)

      for (const origin of ALL) {
        for (const [target, allowed] of [
          ['ETH', toEth],
          ['SOL', toSol]
        ] as const) {
          if (origin === target) continue
          const { Currencies } = (await patientGet(app, `/chains/get_currencies/${origin}/${target}`)).json()
          if (!allowed.includes(origin)) t.same(Currencies, [], `${origin} to ${target}`)
        }
      }
    })
  }

  t.test('supportedLocations contains only the locations that the filter allows', async t => {
    const filter = {
      origin: { mode: 'blacklist', chains: ['ETH'] },
      target: { mode: 'blacklist', chains: ['SOL'] }
    }
    const app = await build(t, { SERVICE_CHAIN_FILTER: JSON.stringify(filter) }, { devnet })
    const chains: { shortName: string; supportedLocations: string[] }[] = (
      await patientGet(app, '/chains')
    ).json()
    const locations = Object.fromEntries(chains.map(chain => [chain.shortName, chain.supportedLocations]))
    t.match(locations, { ETH: ['target'], SOL: ['origin'], POL: ['origin', 'target'], CC: ['origin'] })
  })
})
