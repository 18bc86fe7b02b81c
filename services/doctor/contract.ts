import type { RiskScore } from '../../schemas/compliance.ts'
import type { Environment } from '../addresses/index.ts'

/** What the checks read of the configuration. */
export interface Examined {
  config: {
    NODE_ENV: 'development' | 'production' | 'test'
    DOMAIN: readonly string[]
    TRUST_PROXY: boolean | number | readonly string[]
    SERVICE_ENVIRONMENT: Environment
    SERVICE_BRAND: string
    SERVICE_CHAIN_DENOM: string
    SERVICE_GAS_PRICE: string
    SERVICE_LOW_BALANCE?: string
    SERVICE_COMPLIANCE_ACCEPT: readonly RiskScore[]
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
