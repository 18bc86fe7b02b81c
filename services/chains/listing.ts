import { catalogue } from './catalogue.ts'
import { FIAT, railNames } from './families.ts'
import type { RegistryChain } from './shapes.ts'
import type { CatalogueChain, Environment } from './types.ts'

export interface ChainToken {
  symbol: string
  /** Empty for a chain's own coin; of a rail, the payment method. */
  address: string
  decimals: number
  peggedTo: string
  protocol?: string
}

/** A chain as clients see it: who it is, and what the chain's registry says of it at the moment. */
export interface Chain extends Omit<CatalogueChain, 'railToken'> {
  supportedTokens: ChainToken[]
  disabled: boolean
  derivationAlgorithm: string
}

/** The chains of the catalogue that the registry has, the rails by its entry for `FIAT`; not filtered. */
export function supportedChains(environment: Environment, registry: RegistryChain[]): Chain[] {
  const entries = new Map(registry.map(entry => [entry.symbol, entry]))
  return catalogue(environment).flatMap(({ railToken, ...chain }) => {
    const entry = entries.get(chain.shortName) ?? (railToken && entries.get(FIAT))
    if (entry === undefined) return []
    const { disabled, derivationAlgorithm } = entry
    const supportedTokens = railToken === undefined ? entry.tokens.map(readToken) : [readRailToken(railToken)]
    return [{ ...chain, supportedTokens, disabled, derivationAlgorithm }]
  })
}

function readToken(token: RegistryChain['tokens'][number]): ChainToken {
  const { symbol, address, decimals, peggedTo, protocol } = token
  return {
    symbol,
    address,
    decimals: Number(decimals),
    peggedTo,
    ...(protocol === undefined ? {} : { protocol })
  }
}

function readRailToken(token: NonNullable<CatalogueChain['railToken']>): ChainToken {
  const { symbol, decimals, paymentMethod, peggedTo } = token
  return { symbol, address: paymentMethod, decimals, peggedTo }
}

/** The names that clients know for names of the chain: both rails for `FIAT`. */
export function clientNames(chainNames: string[]): string[] {
  return [...new Set(chainNames.flatMap(name => (name === FIAT ? railNames : name)))]
}
