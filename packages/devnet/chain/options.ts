import type { Coin } from '../modules/bank/coins.ts'

/** The initial state of a chain. */
export interface Genesis {
  chainId: string
  /** The accounts, ordered by account number. */
  accounts: readonly { address: string; coins: readonly Coin[] }[]
}

export type SdkVersion = '0.47' | '0.50' | '0.53'

/** The settings of a chain. */
export interface ChainOptions {
  genesis: Genesis
  /** The period of the block clock in milliseconds. */
  blockTimeMs: number
  /** The minimum gas price for CheckTx, a decimal such as `0.006`; `0` requires no fee. */
  minGasPrice: string
  /** Limit on the total gas wanted by the transactions in a block; -1 means no limit. */
  maxBlockGas: bigint
  /** Size limit of a block in bytes, including header and commit. */
  maxBlockBytes: bigint
  /** The maximum number of transactions in the mempool. */
  mempoolSize: number
  /**
   * The Cosmos SDK release to emulate. 0.50 adds the message index to events and leaves logs empty. 0.53 also accepts
   * unordered transactions.
   */
  sdk: SdkVersion
  /** The address prefix. */
  prefix: string
  /** The denomination of fees. */
  feeDenom: string
}

/** The settings as callers pass them. Only the genesis is required. */
export type GivenOptions = { [K in keyof ChainOptions]?: ChainOptions[K] | undefined } & Pick<
  ChainOptions,
  'genesis'
>

/** Fills in defaults. Where CometBFT has a default, the same value is used. */
export function withDefaults(options: GivenOptions): ChainOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return {
    blockTimeMs: 1000,
    minGasPrice: '0.006',
    maxBlockGas: 40_000_000n,
    maxBlockBytes: 22_020_096n,
    mempoolSize: 5000,
    sdk: '0.47',
    prefix: 'service',
    feeDenom: 'uSERVICE',
    genesis: options.genesis,
    ...given
  }
}
