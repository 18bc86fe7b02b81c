import type { Coin } from './coins.ts'

export interface Genesis {
  chainId: string
  /** The accounts, ordered by account number. */
  accounts: readonly { address: string; coins: readonly Coin[] }[]
}

export interface ChainOptions {
  genesis: Genesis
  blockTimeMs: number
  /** The minimum gas price for CheckTx, a decimal such as `0.006`; `0` requires no fee. */
  minGasPrice: string
  /** Limit on the total gas wanted by the transactions in a block. */
  maxBlockGas: bigint
  /** Size limit of a block in bytes, including header and commit. */
  maxBlockBytes: bigint
  /** Capacity of the mempool, in transactions. */
  mempoolSize: number
  /** The Cosmos SDK release to emulate. 0.50 adds the message index to events and leaves logs empty. */
  sdk: '0.47' | '0.50'
  prefix: string
  feeDenom: string
}

/** CometBFT's defaults where it has them. */
export const chainDefaults = {
  blockTimeMs: 1000,
  minGasPrice: '0.006',
  maxBlockGas: 40_000_000n,
  maxBlockBytes: 22_020_096n,
  mempoolSize: 5000,
  sdk: '0.47'
} as const
