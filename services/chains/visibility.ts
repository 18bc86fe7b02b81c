import { catalogueChain } from './catalogue.ts'
import { FIAT, railNames } from './families.ts'
import type { ChainFilter } from './filter.ts'
import type { ChainLocation, Environment } from './types.ts'

/** What of the chains clients get to see: what catalogue and filter together leave (contract §3, Chains). */
export function createVisibility(environment: Environment, filter: ChainFilter) {
  /** Whether a chain can be at that end of a transfer; `FIAT` can where one of the rails can. */
  function canBe(location: ChainLocation, shortName: string): boolean {
    if (shortName === FIAT) return railNames.some(rail => canBe(location, rail))
    const chain = catalogueChain(environment, shortName)
    // Where a chain that the catalogue lacks could be, nobody but the filter can say.
    return (chain?.supportedLocations.includes(location) ?? true) && filter.allows(location, shortName)
  }

  /** The ends of a transfer at which a chain can be. */
  function locations(shortName: string): ChainLocation[] {
    return (['origin', 'target'] as const).filter(location => canBe(location, shortName))
  }

  return { canBe, locations, isVisible: (shortName: string) => locations(shortName).length > 0 }
}
