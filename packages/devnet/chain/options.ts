import { type Genesis, genesisConsensusParams, genesisPrefix } from './genesis.ts'

export type SdkVersion = '0.47' | '0.50' | '0.53'

/** How a chain is set up. */
export interface ChainOptions {
  /** A Cosmos SDK genesis document. */
  genesis: Genesis
  /** The period of the block clock in milliseconds. */
  blockTimeMs: number
  /** The minimum gas price for CheckTx, a decimal such as `0.006`; `0` requires no fee. */
  minGasPrice: string
  /** Limit of the gas wanted by the transactions of one block; -1 = no limit. By default the genesis'. */
  maxBlockGas: bigint
  /** Size limit of a block in bytes, header and commit included. By default the genesis'. */
  maxBlockBytes: bigint
  /** How many transactions the mempool holds. */
  mempoolSize: number
  /**
   * The Cosmos SDK release that the chain behaves like. 0.50 marks events by message and leaves logs empty. 0.53 also
   * accepts unordered transactions.
   */
  sdk: SdkVersion
  /** The address prefix; by default that of the addresses in the genesis. */
  prefix: string
  /** The denomination that fees are paid in; by default any denomination that the genesis has a supply of. */
  feeDenom: string | undefined
}

/** Options that may be undefined, but for the genesis. */
export type GivenOptions = { [K in keyof ChainOptions]?: ChainOptions[K] | undefined } & Pick<
  ChainOptions,
  'genesis'
>

/** Completes the options with defaults, which are those of the genesis or of a CometBFT node where they have one. */
export function withDefaults(options: GivenOptions): ChainOptions {
  const { maxBytes, maxGas } = genesisConsensusParams(options.genesis)
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return {
    blockTimeMs: 1000,
    minGasPrice: '0.006',
    maxBlockGas: maxGas,
    maxBlockBytes: maxBytes,
    mempoolSize: 5000,
    sdk: '0.47',
    prefix: genesisPrefix(options.genesis) ?? 'service',
    feeDenom: undefined,
    genesis: options.genesis,
    ...given
  }
}
