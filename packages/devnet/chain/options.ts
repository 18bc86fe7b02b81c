import type { Coin } from '../modules/bank/coins.ts'

/** The initial state of a chain. */
export interface Genesis {
  chainId: string
  /** In the order of their account numbers. */
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
  /** Limit of the gas wanted by the transactions of one block; -1 = no limit. */
  maxBlockGas: bigint
  /** Size limit of a block in bytes, header and commit included. */
  maxBlockBytes: bigint
  /** The maximum number of transactions in the mempool. */
  mempoolSize: number
  /**
   * The Cosmos SDK release that the chain behaves like. 0.50 marks events by message and leaves logs empty. 0.53 also
   * accepts unordered transactions.
   */
  sdk: SdkVersion
  /** The address prefix. */
  prefix: string
  /** The denomination that fees are paid in. */
  feeDenom: string
}

/** Options that may be undefined, except the genesis. */
export type GivenOptions = { [K in keyof ChainOptions]?: ChainOptions[K] | undefined } & Pick<
  ChainOptions,
  'genesis'
>

/** Fills in defaults: those of a CometBFT node where it has any. */
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
