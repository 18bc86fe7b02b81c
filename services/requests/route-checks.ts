import type { ChainToken } from '../../schemas/chains.ts'
import { assertAddress, assertOfUser, type Environment } from '../addresses/index.ts'
import { assertLocation, type ChainLocation, catalogueChain } from '../chains/catalogue.ts'
import { family } from '../chains/families.ts'
import type { ChainFilter } from '../chains/filter.ts'
import type { ChainService } from '../chains/index.ts'
import { systemClock } from '../clock.ts'
import type { SubmittedEnd } from '../custom-validation/types.ts'
import { fieldError, type ServiceError } from '../errors/index.ts'
import { optionError } from './options.ts'
import type { ClaimedAmount, Route } from './request.ts'

export type ChainFacts = Pick<ChainService, 'ownAddresses' | 'status' | 'token' | 'transferLimit'>

type Check = (end: SubmittedEnd, location: ChainLocation) => void | Promise<void>

/**
 * Creates the checks of a route. Each covers the origin and then the target, before the next check starts (interface
 * 6.16).
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
    assertLocation(found, location, filter.hasBitcoin)
  }

  const allowed: Check = ({ chain }, location) => {
    if (filter.allows(location, chain)) return
    const problem = `must be a chain that this service allows as ${location}, not ${chain}`
    throw fieldError(`${location}Chain`, problem, 'CHAIN_FILTERED')
  }

  const enabled: Check = async ({ chain }, location) => {
    const status = await chains.status(chain)
    if (status === 'unknown') throw unknownChain(chain, location)
    if (status === 'available') return
    const problem = `must not be ${chain} while it is disabled; try again later`
    throw fieldError(`${location}Chain`, problem, 'CHAIN_DISABLED')
  }

  const wellAddressed: Check = ({ chain, address }, location) =>
    assertAddress(location, family(chain), address, environment)

  const ofUser: Check = async ({ chain, address }, location) =>
    assertOfUser(location, address, await chains.ownAddresses(chain))

  async function tokenOf(
    { chain, symbol, amount }: Route[ChainLocation],
    location: ChainLocation
  ): Promise<ChainToken> {
    const refusal = (problem: string) => fieldError(`${location}Symbol`, problem, 'TOKEN_UNSUPPORTED')
    const token = await chains.token(chain, symbol)
    if (token === undefined) throw refusal(`must be a token on ${chain}, not ${symbol}`)
    if (token.supportedLocations?.includes(location) === false) {
      const use = location === 'origin' ? 'sent from' : 'received on'
      throw refusal(`must be a token that can be ${use} ${chain}, not ${symbol}`)
    }
    if (amount !== undefined) assertDecimals(amount, token, `${symbol} on ${chain}`)
    return token
  }

  return {
    /**
     * @throws ServiceError CHAIN_UNSUPPORTED, CHAIN_FILTERED, CHAIN_DISABLED, ADDRESS_INVALID, all with the field
     * @throws UpstreamError, UpstreamTimeoutError if the chain's registry cannot be read
     */
    async assertEnds({ origin, target }: Route): Promise<void> {
      for (const check of [known, allowed, enabled, wellAddressed, ofUser]) {
        await check(origin, 'origin')
        await check(target, 'target')
      }
    },
    /**
     * Checks the tokens, that the amounts fit their decimals (interface 6.7), and the Permit2 signature (interface 6.31).
     * @throws ServiceError TOKEN_UNSUPPORTED, VALIDATION with the decimals or the amount, OPTIONS_INVALID
     * @throws UpstreamError, UpstreamTimeoutError if the chain's registry cannot be read
     */
    async assertTokens({ origin, target, permit2 }: Route) {
      const tokens = { origin: await tokenOf(origin, 'origin'), target: await tokenOf(target, 'target') }
      if (target.amount === undefined)
        assertReceivable(origin.amount, tokens.target, `${target.symbol} on ${target.chain}`)
      if (permit2 !== undefined) assertDeadline(permit2)
      else if (tokens.origin.isPermit2)
        throw optionError(
          'permit2',
          `must be the Permit2 signature that ${origin.symbol} on ${origin.chain} requires`
        )
      return tokens
    }
  }
}

/** Checks an amount's decimals. They may differ from the token's, unless they are `assumed` or digits would be lost. */
function assertDecimals({ whole, decimals, assumed }: ClaimedAmount, token: ChainToken, name: string): void {
  if (decimals.value === token.decimals) return
  if (assumed) throw fieldError(decimals.field, `must be ${token.decimals}, the decimals of ${name}`)
  if (fractionDigits(whole) <= token.decimals) return
  const problem = `must be at most ${token.decimals}, the decimals of ${name}, for the amount ${whole}`
  throw fieldError(decimals.field, problem)
}

function assertDeadline({ deadline }: NonNullable<Route['permit2']>): void {
  if (deadline > systemClock.now() / 1000) return
  throw optionError('permit2/deadline', 'must be a time in Unix seconds that has not passed')
}

/** Checks that an amount is exact in the target token too, because a transfer pays out the submitted amount. */
function assertReceivable({ field, whole }: ClaimedAmount, { decimals }: ChainToken, name: string): void {
  if (fractionDigits(whole) <= decimals) return
  throw fieldError(
    field,
    `must have at most ${decimals} decimal places, the decimals of ${name}, not ${whole}`
  )
}

const fractionDigits = (whole: string) => whole.split('.')[1]?.length ?? 0

function unknownChain(chain: string, location: ChainLocation): ServiceError {
  const problem = `must be a short name from GET /chains, not ${chain}`
  return fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}
