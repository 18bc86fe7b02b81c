import type { ChainToken } from '../../schemas/chains.ts'
import { assertAddress, assertOfUser } from '../addresses/index.ts'
import type { Environment } from '../addresses/types.ts'
import { assertLocation, catalogueChain } from '../chains/catalogue.ts'
import { family } from '../chains/families.ts'
import type { ChainFilter } from '../chains/filter.ts'
import type { ChainService } from '../chains/index.ts'
import type { ChainLocation } from '../chains/types.ts'
import { fieldError, type ServiceError } from '../errors/index.ts'
import { optionsError } from './options.ts'
import type { ClaimedAmount, Route, RouteEnd } from './request.ts'

type Token = Pick<ChainToken, 'address' | 'decimals' | 'peggedTo' | 'isPermit2' | 'supportedLocations'>

/** The current chain state that the checks need. */
export interface ChainFacts extends Pick<ChainService, 'ownAddresses' | 'status' | 'transferLimit'> {
  token(shortName: string, symbol: string): Promise<Token | undefined>
}

type Check = (end: RouteEnd, location: ChainLocation) => void

/**
 * Checks the origin and the target of a submission. Each check covers the origin, then the target, before the next
 * check starts (interface 6.17). Errors name the field.
 */
export function createRouteChecks(options: {
  environment: Environment
  filter: ChainFilter
  chains: ChainFacts
}) {
  const { environment, filter, chains } = options

  const known: Check = ({ chain }, location) => {
    const found = catalogueChain(environment, chain)
    if (found === undefined) throw unknownChain(chain, location)
    assertLocation(found, location)
  }

  const allowed: Check = ({ chain }, location) => {
    if (filter.allows(location, chain)) return
    throw fieldError(
      `${location}Chain`,
      `must not be ${chain}: the chain filter excludes it`,
      'CHAIN_FILTERED'
    )
  }

  async function assertEnabled({ chain }: RouteEnd, location: ChainLocation): Promise<void> {
    const status = await chains.status(chain)
    if (status === 'unknown') throw unknownChain(chain, location)
    if (status === 'available') return
    throw fieldError(`${location}Chain`, `must not be ${chain}: it is disabled at present`, 'CHAIN_DISABLED')
  }

  const wellAddressed: Check = ({ chain, address }, location) => {
    const chainFamily = family(chain)
    if (chainFamily === undefined) throw unknownChain(chain, location)
    assertAddress(location, chainFamily, address, environment)
  }

  async function assertUser({ chain, address }: RouteEnd, location: ChainLocation): Promise<void> {
    assertOfUser(location, address, await chains.ownAddresses(chain))
  }

  async function tokenOf(
    { chain, symbol, amount }: Route[ChainLocation],
    location: ChainLocation
  ): Promise<Token> {
    const token = await chains.token(chain, symbol)
    if (token === undefined) {
      throw fieldError(
        `${location}Symbol`,
        `must be a token of ${chain}, which has no ${symbol}`,
        'TOKEN_UNSUPPORTED'
      )
    }
    if (token.supportedLocations?.includes(location) === false) {
      throw fieldError(
        `${location}Symbol`,
        `must not be ${symbol}, which cannot be ${location === 'origin' ? 'paid with' : 'received'} on ${chain}`,
        'TOKEN_UNSUPPORTED'
      )
    }
    if (amount !== undefined) assertDecimals(amount, token, `${symbol} on ${chain}`)
    return token
  }

  return {
    /**
     * Asserts that the chains are known, possible at that end, allowed by the filter, and not disabled.
     * @throws ServiceError CHAIN_UNSUPPORTED, CHAIN_FILTERED, CHAIN_DISABLED
     * @throws UpstreamError, UpstreamTimeoutError when the chain's registry cannot be read
     */
    async assertChains(route: Route): Promise<void> {
      ofBothEnds(route, known)
      ofBothEnds(route, allowed)
      await assertEnabled(route.origin, 'origin')
      await assertEnabled(route.target, 'target')
    },
    /**
     * Asserts that the addresses fit their chains (interface 18.1), and may belong to a user (interface 18.8).
     * @throws ServiceError ADDRESS_INVALID
     * @throws UpstreamError, UpstreamTimeoutError when the chain's registry cannot be read
     */
    async assertAddresses(route: Route): Promise<void> {
      ofBothEnds(route, wellAddressed)
      await assertUser(route.origin, 'origin')
      await assertUser(route.target, 'target')
    },
    /**
     * Asserts that the chains support the tokens at that end, that no amount is finer than its token (interface 6.7),
     * and that the options of a Permit2 token contain its signature (interface 6.31).
     * @returns the tokens
     * @throws ServiceError TOKEN_UNSUPPORTED, VALIDATION naming the decimals, OPTIONS_INVALID
     * @throws UpstreamError, UpstreamTimeoutError when the chain's registry cannot be read
     */
    async assertTokens({ origin, target, hasPermit2 }: Route): Promise<{ origin: Token; target: Token }> {
      const tokens = { origin: await tokenOf(origin, 'origin'), target: await tokenOf(target, 'target') }
      if (!tokens.origin.isPermit2 || hasPermit2) return tokens
      throw optionsError('options/permit2', `must not be empty: ${origin.symbol} is approved by Permit2`)
    }
  }
}

/** An amount may use other decimals than its token's, unless it is finer than the token. */
function assertDecimals({ whole, decimals, assumed }: ClaimedAmount, token: Token, name: string): void {
  if (decimals.value === token.decimals) return
  if (assumed) throw fieldError(decimals.field, `must be ${token.decimals}, the decimals of ${name}`)
  const [, fraction = ''] = whole.split('.')
  if (fraction.length <= token.decimals) return
  const problem = `must be at most ${token.decimals}, the decimals of ${name}, for the amount ${whole}`
  throw fieldError(decimals.field, problem)
}

function ofBothEnds({ origin, target }: Route, check: Check): void {
  check(origin, 'origin')
  check(target, 'target')
}

function unknownChain(chain: string, location: ChainLocation): ServiceError {
  const problem = `must be a chain that the service supports, which ${chain} is not`
  return fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}
