import type { DevnetNames } from './brand.ts'
import { DEVELOPMENT_KYC_KEY } from './kyc/index.ts'
import { DEVELOPMENT_WALLET } from './wallets.ts'

export interface DevnetUrls {
  rpc: string
  rest: string
  graphql: string
  fees: string
  compliance: string
  kyc: string
  /** A second RPC node that is behind the first, with the option `control`. */
  laggingRpc?: string
}

/**
 * The variables that point a server at a development network (interface 20.3). The data directory is new for each
 * network: the chain starts from its genesis every time, and an older store would hold transactions that this chain
 * never had.
 * @param gasPrice the chain's minimum gas price if one was set; undefined keeps the server's own default
 */
export function serverEnv(
  urls: DevnetUrls,
  { brand, prefix, denom }: DevnetNames,
  gasPrice: string | undefined
): Record<string, string> {
  return {
    SERVICE_ENVIRONMENT: 'testnet',
    NODE_ENV: 'development',
    DOMAIN: 'http://localhost,http://127.0.0.1',
    SERVICE_BRAND: brand,
    SERVICE_BACKEND_MNEMONIC: DEVELOPMENT_WALLET,
    SERVICE_BACKEND_NODE_PROVIDER: urls.rpc,
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: urls.rest,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: urls.graphql,
    SERVICE_BACKEND_FEE_URL: urls.fees,
    COMPLIANCE_URL: urls.compliance,
    KYC_URL: urls.kyc,
    KYC_API_KEY: DEVELOPMENT_KYC_KEY,
    SERVICE_CHAIN_PREFIX: prefix,
    SERVICE_CHAIN_DENOM: denom,
    ...(gasPrice !== undefined && { SERVICE_GAS_PRICE: gasPrice }),
    SERVICE_DATA_DIR: `./data/devnet-${Date.now()}`
  }
}

/** The text of an `.env` file, which a shell can source as well. */
export function envFile(env: Record<string, string>): string {
  const lines = Object.entries(env).map(
    ([name, value]) => `${name}=${/\s/.test(value) ? `"${value}"` : value}`
  )
  return `${lines.join('\n')}\n`
}
