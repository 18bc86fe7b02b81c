import type { ChainOptions } from './chain/options.ts'

/**
 * The settings of a development network. An undefined chain setting selects the chain's default. An undefined genesis
 * selects the built-in genesis, which funds the development wallets.
 */
export interface DevnetOptions extends Omit<Given<ChainOptions>, 'prefix' | 'feeDenom' | 'mempoolSize'> {
  /** The maker's brand in the address prefix, denomination, paths and packages. */
  brand: string
  /** The address that all servers listen on. */
  host: string
  /** First of the consecutive ports: RPC, REST, GraphQL, fees, compliance, KYC. 0 picks free ports. */
  port: number
  blockTimeMs: number
  sdk: ChainOptions['sdk']
  /** Whether to serve a second, lagging RPC node on the port after the others. */
  control: boolean
}

type Given<T> = { [K in keyof T]?: T[K] | undefined }

export const defaultOptions: DevnetOptions = {
  brand: 'service',
  host: '127.0.0.1',
  port: 0,
  blockTimeMs: 1000,
  sdk: '0.47',
  control: false
}
