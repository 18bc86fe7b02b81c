import { addressProblem } from '../addresses/index.ts'
import { type ChainLocation, catalogueChain, type Environment, family } from '../chains/catalogue.ts'
import type { ChainFilter } from '../chains/filter.ts'
import { fieldError } from '../errors/field-error.ts'
import type { Route, RouteEnd } from './request.ts'

/** What the checks ask of the chains as they are at the moment. */
export interface ChainFacts {
  status(shortName: string): Promise<'available' | 'disabled' | 'unknown'>
  token(shortName: string, symbol: string): Promise<{ decimals: number } | undefined>
}

export interface RouteChecks {
  /**
   * Lets a submission pass whose chains, addresses and tokens exist, fit together and are allowed. Each check is
   * made of both ends before the next one begins (contract §3, Order of checks).
   * @throws ServiceError CHAIN_UNSUPPORTED, CHAIN_FILTERED, CHAIN_DISABLED, ADDRESS_INVALID, TOKEN_UNSUPPORTED, or
   *   VALIDATION for decimals that are not the token's, each naming the field
   * @throws UpstreamError, UpstreamTimeoutError when the chain does not tell what it has
   */
  assert(route: Route): Promise<void>
}

export function createRouteChecks(options: {
  environment: Environment
  filter: ChainFilter
  chains: ChainFacts
}): RouteChecks {
  const { environment, filter, chains } = options
  type Check = (end: RouteEnd, location: ChainLocation) => void | Promise<void>

  const known: Check = ({ chain }, location) => {
    const found = catalogueChain(environment, chain)
    if (found === undefined) throw fieldError(`${location}Chain`, unknown(chain), 'CHAIN_UNSUPPORTED')
    if (found.supportedLocations.includes(location)) return
    throw fieldError(`${location}Chain`, `must not be ${chain}: it is no ${location}`, 'CHAIN_UNSUPPORTED')
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
    if (status === 'unknown') throw fieldError(`${location}Chain`, unknown(chain), 'CHAIN_UNSUPPORTED')
    if (status === 'available') return
    throw fieldError(`${location}Chain`, `must not be ${chain}: it is disabled at present`, 'CHAIN_DISABLED')
  }

  const wellAddressed: Check = ({ chain, address }, location) => {
    const problem = addressProblem(family(chain) ?? 'RAIL', address, environment)
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
    async assert({ origin, target }) {
      for (const check of [known, allowed, enabled, wellAddressed, denominated]) {
        await check(origin, 'origin')
        await check(target, 'target')
      }
    }
  }
}

function unknown(chain: string): string {
  return `must be a chain that the service knows, which ${chain} is not`
}
