import type { Genesis } from './chain/genesis.ts'
import type { SdkVersion } from './chain/options.ts'

/** The settings of a development network; each has a default. */
export interface DevnetOptions {
  /** The maker's brand, in prefix, denomination, paths and packages. */
  brand: string
  /** The address that all servers listen on. */
  host: string
  /** First of the ports in a row: RPC, REST, GraphQL, fees, compliance, KYC. 0 picks free ports. */
  port: number
  /** A Cosmos SDK genesis in place of the built-in one, which funds the development wallets. */
  genesis: Genesis | undefined
  blockTimeMs: number
  /** A decimal such as `0.006`; undefined keeps the chain's own default. */
  minGasPrice: string | undefined
  /** The denomination that fees must be paid in; undefined accepts any of the genesis. */
  feeDenom: string | undefined
  maxBlockGas: bigint | undefined
  /** Size limit of a block in bytes, header and commit included; undefined keeps that of the genesis. */
  maxBlockBytes: bigint | undefined
  /** The Cosmos SDK release that the chain behaves like. */
  sdk: SdkVersion
  /** How many blocks the GraphQL index is behind. */
  indexLagBlocks: number
  /** Serves the control API and a lagging node, on the two ports after the others. */
  control: boolean
}

export const defaultOptions: DevnetOptions = {
  brand: 'service',
  host: '127.0.0.1',
  port: 0,
  genesis: undefined,
  blockTimeMs: 1000,
  minGasPrice: undefined,
  feeDenom: undefined,
  maxBlockGas: undefined,
  maxBlockBytes: undefined,
  sdk: '0.47',
  indexLagBlocks: 1,
  control: false
}
