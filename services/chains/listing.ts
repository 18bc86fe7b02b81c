import type { Chain, ChainToken } from '../../schemas/chains.ts'
import type { Environment } from '../addresses/index.ts'
import { type ChainLocation, catalogue } from './catalogue.ts'
import { FIAT, fiatRails } from './families.ts'
import type { RegistryChain } from './shapes.ts'

/** Tokens that can only be received, unless the registry specifies their locations (interface 4.29). */
const TARGET_ONLY = ['WETH', 'WSOL', 'USD1']
const TARGET: ChainLocation[] = ['target']

/** Returns the catalogue's chains that the registry contains. The registry's entry `FIAT` counts for both rails. */
export function supportedChains(environment: Environment, registry: RegistryChain[]): Chain[] {
  const entries = new Map(registry.map(entry => [entry.symbol, entry]))
  return catalogue[environment].flatMap(({ fiatToken, ...chain }) => {
    const entry = entries.get(chain.shortName) ?? (fiatToken && entries.get(FIAT))
    if (entry === undefined) return []
    const { disabled, derivationAlgorithm } = entry
    const supportedTokens = fiatToken === undefined ? entry.tokens.map(readToken) : [fiatToken]
    const isEvm = chain.compatibility === 'EVM'
    return [{ ...chain, supportedTokens, disabled, derivationAlgorithm, isEvm }]
  })
}

function readToken(token: RegistryChain['tokens'][number]): ChainToken {
  const { symbol, address, decimals, peggedTo, protocol, isPermit2 } = token
  // Ignore an empty list: the chain's gateway writes one for every token without locations.
  const own = token.supportedLocations?.length ? token.supportedLocations : undefined
  const supportedLocations = own ?? (TARGET_ONLY.includes(symbol) ? TARGET : undefined)
  return {
    symbol,
    address,
    decimals: Number(decimals),
    peggedTo,
    ...(typeof protocol === 'string' && { protocol }),
    ...(typeof isPermit2 === 'boolean' && { isPermit2 }),
    ...(supportedLocations !== undefined && { supportedLocations })
  }
}

/** Replaces `FIAT` with both rails, for clients. */
export function clientNames(chainNames: string[]): string[] {
  return [...new Set(chainNames.flatMap(name => (name === FIAT ? fiatRails : name)))]
}
