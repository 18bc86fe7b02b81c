import { FIAT, railNames } from './families.ts'
import type { ChainLocation } from './types.ts'

/** One side of SERVICE_CHAIN_FILTER (interface 13.2). */
export interface FilterSide {
  mode: 'whitelist' | 'blacklist'
  /** Short names. */
  chains: readonly string[]
}

/** SERVICE_CHAIN_FILTER. A missing side allows every chain (interface 13.3). */
export type ChainFilterSettings = Partial<Record<ChainLocation, FilterSide>>

export interface ChainFilter {
  /**
   * True when the operator allows the chain at that end of a transfer, whether or not the chain exists. `FIAT` is
   * allowed where one of the rails is.
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
