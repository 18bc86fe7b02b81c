import type { Environment } from '../addresses/types.ts'
import { catalogue } from './catalogue.ts'
import { FIAT, railNames } from './families.ts'
import type { RegistryChain } from './shapes.ts'
import type { CatalogueChain, ChainLocation } from './types.ts'

export interface ChainToken {
  symbol: string
  /** Empty for the chain's own coin. A rail has its payment method here (interface 4.20). */
  address: string
  decimals: number
  peggedTo: string
  protocol?: string
  /** Approved by a Permit2 signature, which a submission then carries. */
  isPermit2?: boolean
  /** Where it differs from its chain's. */
  supportedLocations?: ChainLocation[]
}

/** Tokens that can only be received, wherever the registry does not say otherwise (interface 4.29). */
const TARGET_ONLY = ['WETH', 'WSOL', 'USD1']
const TARGET: ChainLocation[] = ['target']

/** A chain as clients see it: its identity, and its present state in the registry (interface 4.4 and 4.5). */
export interface Chain extends Omit<CatalogueChain, 'railToken'> {
  supportedTokens: ChainToken[]
  disabled: boolean
  derivationAlgorithm: string
  isEvm: boolean
}

/** The chains of the catalogue that the registry has, not filtered. Rails are there by the entry of `FIAT`. */
export function supportedChains(environment: Environment, registry: RegistryChain[]): Chain[] {
  const entries = new Map(registry.map(entry => [entry.symbol, entry]))
  return catalogue(environment).flatMap(({ railToken, ...chain }) => {
    const entry = entries.get(chain.shortName) ?? (railToken && entries.get(FIAT))
    if (entry === undefined) return []
    const { disabled, derivationAlgorithm } = entry
    const supportedTokens = railToken === undefined ? entry.tokens.map(readToken) : [readRailToken(railToken)]
    const isEvm = chain.compatibility === 'EVM'
    return [{ ...chain, supportedTokens, disabled, derivationAlgorithm, isEvm }]
  })
}

function readToken(token: RegistryChain['tokens'][number]): ChainToken {
  const { symbol, address, decimals, peggedTo, protocol, isPermit2 } = token
  const supportedLocations = locationsOf(token)
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

/** An empty list says nothing: the chain's gateway writes one for every token without its own locations. */
function locationsOf({ symbol, supportedLocations }: RegistryChain['tokens'][number]) {
  if (supportedLocations && supportedLocations.length > 0) return supportedLocations
  return TARGET_ONLY.includes(symbol) ? TARGET : undefined
}

function readRailToken(token: NonNullable<CatalogueChain['railToken']>): ChainToken {
  const { symbol, decimals, paymentMethod, peggedTo } = token
  return { symbol, address: paymentMethod, decimals, peggedTo }
}

/** The chain's names as clients use them: both rails for `FIAT`. */
export function clientNames(chainNames: string[]): string[] {
  return [...new Set(chainNames.flatMap(name => (name === FIAT ? railNames : name)))]
}
