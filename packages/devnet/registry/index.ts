import { chains, type RegistryChain, type RegistryToken } from './chains.ts'

/** Chains that support only one side of a transfer (interface 4.3). */
const TARGET_ONLY = new Set(['BERA'])
const ORIGIN_ONLY = new Set(['FIAT'])

export function findChain(shortName: string): RegistryChain | undefined {
  return chains.find(chain => chain.symbol === shortName)
}

export function findToken(chain: RegistryChain, symbol: string): RegistryToken | undefined {
  return chain.tokens.find(token => token.symbol === symbol)
}

/** Returns the short names of the origin chains that can pay `target`. Empty for an unknown target. */
export function originsFor(target: string): string[] {
  const chain = findChain(target)
  if (chain === undefined || ORIGIN_ONLY.has(target)) return []
  return chains
    .filter(origin => origin !== chain && !origin.disabled && !TARGET_ONLY.has(origin.symbol))
    .map(origin => origin.symbol)
}

/** Returns the symbols on `origin` that have the same peg as a token on `target`. */
export function currenciesBetween(origin: string, target: string): string[] {
  const pegs = new Set(findChain(target)?.tokens.map(token => token.peggedTo))
  const tokens = findChain(origin)?.tokens ?? []
  return tokens.filter(token => pegs.has(token.peggedTo)).map(token => token.symbol)
}
