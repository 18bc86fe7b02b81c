import type { Environment } from '../addresses/index.ts'
import { type ChainLocation, canBeAt, catalogueChain } from './catalogue.ts'
import { FIAT, fiatRails } from './families.ts'

/** One side of SERVICE_CHAIN_FILTER (interface 13.1). */
export interface FilterSide {
  mode: 'whitelist' | 'blacklist'
  chains: readonly string[]
}

/** SERVICE_CHAIN_FILTER. A missing side allows every chain (interface 13.3). */
export type ChainFilterSettings = Partial<Record<ChainLocation, FilterSide>>

export interface ChainFilter {
  /** Whether BTC can be an origin: the service has an API that shows its locks. */
  hasBitcoin: boolean
  /** Whether the operator allows a chain at this end of a transfer. Pass the name of a rail, never `FIAT`. */
  allows(location: ChainLocation, shortName: string): boolean
}

export function createChainFilter(settings: ChainFilterSettings = {}, hasBitcoin = false): ChainFilter {
  return {
    hasBitcoin,
    allows(location, shortName) {
      const side = settings[location]
      return side === undefined || side.chains.includes(shortName) === (side.mode === 'whitelist')
    }
  }
}

/** Determines which chains clients see: those allowed by the catalogue and the filter (interface 4.3 and 13.4). */
export function createVisibility(environment: Environment, filter: ChainFilter) {
  /** Returns whether a chain is visible at an end. `FIAT` is visible if at least one rail is. */
  function canBe(location: ChainLocation, shortName: string): boolean {
    if (shortName === FIAT) return fiatRails.some(rail => canBe(location, rail))
    const chain = catalogueChain(environment, shortName)
    // The catalogue has no locations for unknown chains, so only the filter applies.
    const isPossible = chain === undefined || canBeAt(chain, location, filter.hasBitcoin)
    return isPossible && filter.allows(location, shortName)
  }

  const locations = (shortName: string) =>
    (['origin', 'target'] as const).filter(location => canBe(location, shortName))

  return { canBe, locations, isVisible: (shortName: string) => locations(shortName).length > 0 }
}
