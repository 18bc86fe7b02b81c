import type { Environment } from '../addresses/index.ts'
import { fieldError } from '../errors/index.ts'
import {
  BTC,
  type CatalogueChain,
  type FiatRail,
  family,
  paymentMethods,
  type ShortName,
  shortNames
} from './families.ts'
// Written by `npm run chain-data`.
import networks from './networks.json' with { type: 'json' }

export type ChainLocation = 'origin' | 'target'

/** The ids of the rails are specific to this service. */
const rails = {
  BANK: { name: 'Bank transfer', id: 900_001, currency: 'Euro', symbol: 'EUR' },
  CC: { name: 'Credit card', id: 900_002, currency: 'US dollar', symbol: 'USD' }
}

/** The chains of each environment, by short name (interface 4.4), without `FIAT` (interface 4.2). */
export const catalogue: Record<Environment, readonly CatalogueChain[]> = {
  mainnet: chainsOf('mainnet'),
  testnet: chainsOf('testnet')
}

export function catalogueChain(environment: Environment, shortName: string): CatalogueChain | undefined {
  return catalogue[environment].find(chain => chain.shortName === shortName)
}

/** Returns whether a chain can be at this end of a transfer (interface 4.3). */
export const canBeAt = (
  { shortName, supportedLocations }: CatalogueChain,
  location: ChainLocation,
  hasBitcoin: boolean
): boolean =>
  supportedLocations.includes(location) && (hasBitcoin || shortName !== BTC || location === 'target')

/**
 * Rejects a chain that cannot be at this end of a transfer.
 * @param hasBitcoin whether locks of bitcoins can be checked
 * @throws ServiceError CHAIN_UNSUPPORTED
 */
export function assertLocation(chain: CatalogueChain, location: ChainLocation, hasBitcoin: boolean): void {
  if (canBeAt(chain, location, hasBitcoin)) return
  const { shortName } = chain
  const problem = `must be a chain that can be the ${location}, not ${shortName}`
  throw fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}

function chainsOf(environment: Environment): CatalogueChain[] {
  return shortNames.map(shortName => ({
    shortName,
    ...(shortName === 'BANK' || shortName === 'CC' ? railOf(shortName) : networkOf(shortName, environment)),
    testnet: environment === 'testnet'
  }))
}

function networkOf(shortName: Exclude<ShortName, FiatRail>, environment: Environment) {
  const kind = family(shortName)
  const supportedLocations: ChainLocation[] = shortName === 'BERA' ? ['target'] : ['origin', 'target']
  const compatibility = kind === 'EVM' || kind === 'BTC' ? kind : 'SELF'
  return { ...networks[shortName][environment], compatibility, supportedLocations } as const
}

function railOf(rail: FiatRail) {
  const { name, id, currency, symbol } = rails[rail]
  return {
    name,
    id,
    nativeCurrency: { name: currency, symbol, decimals: 2 },
    rpcUrls: { default: { http: [] } },
    blockExplorers: { default: { name: '', url: '' } },
    compatibility: rail,
    supportedLocations: ['origin' as const],
    fiatToken: { symbol, decimals: 2, address: paymentMethods[rail], peggedTo: symbol }
  }
}
