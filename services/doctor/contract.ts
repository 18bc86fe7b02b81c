import type { Environment } from '../addresses/index.ts'

/** The parts of the configuration that the checks read. */
export interface Examined {
  config: {
    NODE_ENV: 'development' | 'production' | 'test'
    DOMAIN: readonly string[]
    TRUST_PROXY: boolean | number | readonly string[]
    SERVICE_ENVIRONMENT: Environment
    SERVICE_BRAND: string
    feeDenom: string
    gasPrice: string
    lowBalance: string | undefined
  }
  secrets: {
    kycApiKey: string | undefined
    upstreams: {
      nodes: readonly string[]
      chainApi: string
      index: string | undefined
      fees: { baseUrl: string; path: string }
      evmRpc: { [chain: string]: string }
      bitcoin: string | undefined
      compliance: string | undefined
      kyc: string | undefined
    }
  }
}
