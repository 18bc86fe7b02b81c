import type { ShortName } from './families.ts'

/** What a user pays with (interface 4.1): an EVM wallet, another wallet, Bitcoin, or a rail's form. */
export type Compatibility = 'EVM' | 'SELF' | 'BTC' | 'CC' | 'BANK'

/** An end of a transfer. */
export type ChainLocation = 'origin' | 'target'

/** The identity of a chain (interface 4.4). Its present state is in the chain's registry. */
export interface CatalogueChain {
  shortName: ShortName
  name: string
  /** The EVM chain id, or a number that no EVM chain of the catalogue has. */
  id: number
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** As viem has them; no URL for a rail. */
  rpcUrls: { default: { http: string[] } }
  /** `/tx/{hash}` can be appended to the URL; both are empty for a rail. */
  blockExplorers: { default: { name: string; url: string; apiUrl?: string } }
  /** Milliseconds, where viem knows it. */
  blockTime?: number
  compatibility: Compatibility
  testnet: boolean
  supportedLocations: ChainLocation[]
  /** The token of a rail (interface 4.20). The tokens of chains are in the registry. */
  railToken?: { symbol: string; decimals: number; paymentMethod: string; peggedTo: string }
}
