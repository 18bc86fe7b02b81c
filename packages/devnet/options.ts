import type { ChainOptions } from './chain/options.ts'
import type { EvmChainName } from './evm/names.ts'

/** An undefined genesis selects the built-in one, which funds the development wallets. */
export interface DevnetOptions extends Omit<Partial<ChainOptions>, 'prefix' | 'feeDenom' | 'mempoolSize'> {
  /** The maker's brand in the address prefix, denomination, paths and packages. */
  brand: string
  host: string
  /** First of the consecutive ports: RPC, REST, GraphQL, fees, compliance, KYC, Bitcoin. 0 picks free ports. */
  port: number
  /** The outside chains that are real EVM nodes, each on a free port. */
  evm: readonly EvmChainName[]
  /** Kills and restarts the server, for the playground. Undefined if the network did not start it. */
  killServer?: () => void
  /** Time between blocks of the simulated Bitcoin chain. Undefined for blocks only on request. */
  bitcoinBlockMs?: number
  /** An Esplora API to use instead of that of the simulated Bitcoin chain. */
  bitcoinUrl?: string
}

export const defaultOptions = {
  brand: 'service',
  host: '127.0.0.1',
  port: 0,
  evm: []
} satisfies Partial<DevnetOptions>
