import { FIAT, railNames } from './families.ts'
import type { ChainLocation } from './types.ts'

/** One side of SERVICE_CHAIN_FILTER (spec §1, Chain filter). */
export interface FilterSide {
  mode: 'whitelist' | 'blacklist'
  /** Short names. */
  chains: readonly string[]
}

/** What SERVICE_CHAIN_FILTER says of each end of a transfer; a missing side filters nothing. */
export type ChainFilterSettings = Partial<Record<ChainLocation, FilterSide>>

export interface ChainFilter {
  /**
   * True when the operator allows the chain at that end of a transfer. Whether the chain exists and can be
   * there at all is not the filter's to say. The filter speaks of `CC` and `BANK`; `FIAT` stands for either.
   */
  allows(location: ChainLocation, shortName: string): boolean
}

export function createChainFilter(settings: ChainFilterSettings = {}): ChainFilter {
  function allows(location: ChainLocation, shortName: string): boolean {
    if (shortName === FIAT) return railNames.some(rail => allows(location, rail))
    const side = settings[location]
    return side === undefined || side.chains.includes(shortName) === (side.mode === 'whitelist')
  }
  return { allows }
}
