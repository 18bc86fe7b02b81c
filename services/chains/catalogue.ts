import type { Environment } from '../addresses/index.ts'
import { fieldError } from '../errors/index.ts'
import type { CatalogueChain } from './families.ts'
// `npm run chain-data` writes it: the EVM chains, and Tron, which has an EVM chain id but its own kind of wallet.
import networks from './networks.json' with { type: 'json' }
import { otherChains } from './other-chains.ts'

export type ChainLocation = 'origin' | 'target'

/** The chains of each environment by short name (interface 4.4), without `FIAT` (interface 4.2). */
export const catalogue: Record<Environment, readonly CatalogueChain[]> = {
  mainnet: chainsOf('mainnet'),
  testnet: chainsOf('testnet')
}

export function catalogueChain(environment: Environment, shortName: string): CatalogueChain | undefined {
  return catalogue[environment].find(chain => chain.shortName === shortName)
}

/** Rejects a chain that cannot be at this end of a transfer (interface 4.3). @throws ServiceError CHAIN_UNSUPPORTED */
export function assertLocation(
  { shortName, supportedLocations }: CatalogueChain,
  location: ChainLocation
): void {
  if (supportedLocations.includes(location)) return
  const problem = `must be a chain that can be the ${location}, not ${shortName}`
  throw fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}

function chainsOf(environment: Environment): CatalogueChain[] {
  const shortNames = Object.keys(networks) as (keyof typeof networks)[]
  const evmAndTron = shortNames.map(
    (shortName): CatalogueChain => ({
      shortName,
      ...networks[shortName][environment],
      compatibility: shortName === 'TRX' ? 'SELF' : 'EVM',
      testnet: environment === 'testnet',
      supportedLocations: shortName === 'BERA' ? ['target'] : ['origin', 'target']
    })
  )
  const chains = [...evmAndTron, ...otherChains(environment)]
  return chains.sort((one, other) => (one.shortName < other.shortName ? -1 : 1))
}
