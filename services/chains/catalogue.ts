import type { Environment } from '../addresses/types.ts'
import { fieldError } from '../errors/index.ts'
import { otherChains } from './other-chains.ts'
import type { CatalogueChain, ChainLocation } from './types.ts'
import { viemChains } from './viem-chains.ts'

const catalogues: Record<Environment, readonly CatalogueChain[]> = {
  mainnet: byShortName('mainnet'),
  testnet: byShortName('testnet')
}

function byShortName(environment: Environment): CatalogueChain[] {
  const chains = [...viemChains(environment), ...otherChains(environment)]
  return chains.sort((one, other) => (one.shortName < other.shortName ? -1 : 1))
}

/** The chains of an environment (interface 4.4), by short name, without `FIAT` (interface 4.2). */
export function catalogue(environment: Environment): readonly CatalogueChain[] {
  return catalogues[environment]
}

/** One chain of the catalogue. @returns undefined for an unknown name */
export function catalogueChain(environment: Environment, shortName: string): CatalogueChain | undefined {
  return catalogues[environment].find(chain => chain.shortName === shortName)
}

/** @throws ServiceError CHAIN_UNSUPPORTED for a chain that cannot be at that end (interface 4.3) */
export function assertLocation(
  { shortName, supportedLocations }: CatalogueChain,
  location: ChainLocation
): void {
  if (supportedLocations.includes(location)) return
  throw fieldError(
    `${location}Chain`,
    `must not be ${shortName}, which cannot be ${location === 'origin' ? 'an origin' : 'a target'}`,
    'CHAIN_UNSUPPORTED'
  )
}
