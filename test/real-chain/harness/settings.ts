/** Coins of a genesis account, such as `1000uSERVICE,5uother`. */
export interface GenesisAccount {
  address: string
  coins: string
}

export interface ChainSettings {
  chainId: string
  maxBlockGas: number
  maxBlockBytes: number
  accounts: readonly GenesisAccount[]
  whitelist: readonly string[]
}

/** Settings of a single node. A restart can change them. */
export interface NodeSettings {
  blockTimeMs: number
  /** The lowest gas price that the node accepts in CheckTx, such as `0.025uSERVICE`. */
  minGasPrices: string
  mempoolSize: number
  /** Number of newest blocks that the node keeps; 0 keeps all. */
  minRetainBlocks: number
}

export const defaultNodeSettings: NodeSettings = {
  blockTimeMs: 300,
  minGasPrices: '0.025uSERVICE',
  mempoolSize: 5000,
  minRetainBlocks: 0
}

export interface NodePorts {
  rpc: number
  rest: number
  p2p: number
}
