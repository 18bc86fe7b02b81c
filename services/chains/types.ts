import type { ShortName } from './families.ts'

export type Environment = 'mainnet' | 'testnet'

/** What a client needs to reach the chain: an EVM wallet, a wallet of the chain's own kind, or a rail's form. */
export type Compatibility = 'EVM' | 'SELF' | 'BTC' | 'CC' | 'BANK'

/** Which end of a transfer a chain can be. */
export type ChainLocation = 'origin' | 'target'

/** Who a chain is; what it has at the moment, the chain's own registry tells. */
export interface CatalogueChain {
  shortName: ShortName
  name: string
  /** The EVM chain id; other chains have a number that no EVM chain of the catalogue has. */
  id: number
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorers: { name: string; url: string }[]
  compatibility: Compatibility
  testnet: boolean
  supportedLocations: ChainLocation[]
  /** A rail's own token; chains have theirs from the registry. */
  railToken?: { symbol: string; decimals: number; paymentMethod: string; peggedTo: string }
}
