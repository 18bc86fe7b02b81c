/** A token as the chain's registry lists it; `decimals` is text there. */
export interface RegistryToken {
  symbol: string
  address: string
  decimals: string
  /** What the token's price follows; only tokens of one peg can be exchanged for each other. */
  peggedTo: Peg
}

export type Peg = 'USD' | 'EUR' | 'BTC'

export interface RegistryChain {
  id: string
  name: string
  /** The chain's short name. */
  symbol: string
  tokens: RegistryToken[]
  disabled: boolean
  isEvm: boolean
  derivationAlgorithm: 'ECDSA' | 'EDDSA' | ''
}

export interface PoolBalance {
  index: string
  chainName: string
  balance: { amount: string; tokenSymbol: string; decimal: string }[]
  nativeGasAmount: string
}
