import { randomBytes } from 'node:crypto'
import type { DevnetNames } from './brand.ts'
import { DEVELOPMENT_KYC_KEY } from './kyc/index.ts'
import { DEVELOPMENT_WALLET } from './wallets.ts'

/**
 * Returns the environment variables for a server on a development network. Each network gets a new
 * data directory, because an older store would contain transactions that this chain does not have.
 * @param gasPrice the chain's minimum gas price; undefined to use the server's default
 */
export function serverEnv(
  urls: Record<'rpc' | 'rest' | 'graphql' | 'fees' | 'compliance' | 'kyc' | 'bitcoin', string>,
  { brand }: DevnetNames,
  gasPrice: string | undefined,
  evmChains: readonly { shortName: string; url: string }[] = []
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
    BTC_API_URL: urls.bitcoin,
    ...(gasPrice !== undefined && { SERVICE_GAS_PRICE: gasPrice }),
    ...(evmChains.length > 0 && {
      SERVICE_EVM_RPC: JSON.stringify(
        Object.fromEntries(evmChains.map(({ shortName, url }) => [shortName, url]))
      )
    }),
    SERVICE_DATA_DIR: `./data/devnet-${Date.now()}`
  }
}

/** Returns the variables of a server that sends its webhooks to its own playground, which shows them. */
export const receivingInPlayground = (serverUrl: string) => ({
  SERVICE_WEBHOOK_URL: `${serverUrl}/playground/webhooks`,
  SERVICE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`
})

/** Formats an `.env` file, which a shell can source too. */
export function envFile(env: Record<string, string>): string {
  const lines = Object.entries(env).map(
    ([name, value]) => `${name}=${/[\s"]/.test(value) ? `'${value}'` : value}`
  )
  return `${lines.join('\n')}\n`
}
