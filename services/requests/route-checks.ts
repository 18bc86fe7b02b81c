import { addressProblem } from '../addresses/index.ts'
import { catalogueChain } from '../chains/catalogue.ts'
import { family } from '../chains/families.ts'
import type { ChainFilter } from '../chains/filter.ts'
import type { ChainLocation, Environment } from '../chains/types.ts'
import { fieldError } from '../errors/field-error.ts'
import type { ServiceError } from '../errors/index.ts'
import type { Route, RouteEnd } from './request.ts'

/** The present state of the chains, as far as the checks need it. */
export interface ChainFacts {
  status(shortName: string): Promise<'available' | 'disabled' | 'unknown'>
  token(shortName: string, symbol: string): Promise<{ decimals: number } | undefined>
}

/**
 * The checks of where a submission goes from and to. Each looks at the origin, then at the target, before the next
 * one begins (interface 6.17). Errors name the field.
 */
export interface RouteChecks {
  /**
   * The chains are known and possible at that end, the filter allows them, and they are not disabled.
   * @throws ServiceError CHAIN_UNSUPPORTED, CHAIN_FILTERED, CHAIN_DISABLED
   * @throws UpstreamError, UpstreamTimeoutError when the chain's registry cannot be read
   */
  assertChains(route: Route): Promise<void>
  /**
   * The addresses are those of their chains (interface 18.1).
   * @throws ServiceError ADDRESS_INVALID
   */
  assertAddresses(route: Route): Promise<void>
  /**
   * The chains have the tokens, with the decimals that the request counts in.
   * @throws ServiceError TOKEN_UNSUPPORTED, or VALIDATION for decimals that are not the token's
   * @throws UpstreamError, UpstreamTimeoutError when the chain's registry cannot be read
   */
  assertTokens(route: Route): Promise<void>
}

type Check = (end: RouteEnd, location: ChainLocation) => void | Promise<void>

export function createRouteChecks(options: {
  environment: Environment
  filter: ChainFilter
  chains: ChainFacts
}): RouteChecks {
  const { environment, filter, chains } = options

  const known: Check = ({ chain }, location) => {
    const found = catalogueChain(environment, chain)
    if (found === undefined) throw unknownChain(chain, location)
    if (found.supportedLocations.includes(location)) return
    throw fieldError(
      `${location}Chain`,
      `must not be ${chain}, which cannot be ${location === 'origin' ? 'an origin' : 'a target'}`,
      'CHAIN_UNSUPPORTED'
    )
  }

  const allowed: Check = ({ chain }, location) => {
    if (filter.allows(location, chain)) return
    throw fieldError(
      `${location}Chain`,
      `must not be ${chain}: the chain filter excludes it`,
      'CHAIN_FILTERED'
    )
  }

  const enabled: Check = async ({ chain }, location) => {
    const status = await chains.status(chain)
    if (status === 'unknown') throw unknownChain(chain, location)
    if (status === 'available') return
    throw fieldError(`${location}Chain`, `must not be ${chain}: it is disabled at present`, 'CHAIN_DISABLED')
  }

  const wellAddressed: Check = ({ chain, address }, location) => {
    const chainFamily = family(chain)
    if (chainFamily === undefined) throw unknownChain(chain, location)
    const problem = addressProblem(chainFamily, address, environment)
    if (problem !== undefined) throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
  }

  const denominated: Check = async ({ chain, symbol, decimals }, location) => {
    const token = await chains.token(chain, symbol)
    if (token === undefined) {
      throw fieldError(
        `${location}Symbol`,
        `must be a token of ${chain}, which has no ${symbol}`,
        'TOKEN_UNSUPPORTED'
      )
    }
    if (decimals === undefined || decimals.value === token.decimals) return
    throw fieldError(decimals.field, `must be ${token.decimals}, the decimals of ${symbol} on ${chain}`)
  }

  return {
    assertChains: route => eachOfBothEnds(route, [known, allowed, enabled]),
    assertAddresses: route => eachOfBothEnds(route, [wellAddressed]),
    assertTokens: route => eachOfBothEnds(route, [denominated])
  }
}

async function eachOfBothEnds({ origin, target }: Route, checks: readonly Check[]): Promise<void> {
  for (const check of checks) {
    await check(origin, 'origin')
    await check(target, 'target')
  }
}

function unknownChain(chain: string, location: ChainLocation): ServiceError {
  const problem = `must be a chain that the service supports, which ${chain} is not`
  return fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}
