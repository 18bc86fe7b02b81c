/** Coins of a genesis account, such as `1000uSERVICE,5uother`. */
export interface GenesisAccount {
  address: string
  coins: string
}

/** What every node of the chain agrees on. */
export interface ChainSettings {
  chainId: string
  /** Limit of the gas wanted by the transactions of one block. */
  maxBlockGas: number
  maxBlockBytes: number
  accounts: readonly GenesisAccount[]
  /** The wallets that may submit requests. */
  whitelist: readonly string[]
}

/** What each node has for itself, and may change with a restart. */
export interface NodeSettings {
  blockTimeMs: number
  /** The lowest gas price that the node accepts in CheckTx, such as `0.025uSERVICE`. */
  minGasPrices: string
  /** How many transactions the mempool holds. */
  mempoolSize: number
  /** How many of the newest blocks the node keeps; 0 keeps all. */
  minRetainBlocks: number
}

export const defaultNodeSettings: NodeSettings = {
  blockTimeMs: 300,
  minGasPrices: '0.025uSERVICE',
  mempoolSize: 5000,
  minRetainBlocks: 0
}

/** The ports of a node. */
export interface NodePorts {
  rpc: number
  rest: number
  p2p: number
}
