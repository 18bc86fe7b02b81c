import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { brandNames } from '../services/brand.ts'
import { defaultDailyFeeLimit } from '../services/submission/signing/fees.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/database-url.ts'
import { readDatabase } from './database.ts'
import { readMnemonic } from './mnemonic.ts'
import { ConfigError, schemaProblems } from './problems.ts'
import { type Environment, readEnvFile, readVariables } from './read.ts'
import { replacedSettings } from './replaced.ts'
import { contradictions } from './rules.ts'
import { ConfigSchema } from './schema.ts'
import { removeSecrets } from './secret-variables.ts'
import { unencryptedVariables } from './unencrypted.ts'
import { unknownVariables } from './unknown.ts'
import { type Webhook, webhookOf } from './webhook.ts'

export { ConfigError } from './problems.ts'

/** The settings under the names of their variables, with defaults and without secrets. */
export type Config = ReturnType<typeof withoutSecrets>

/** Never logged, serialised or put onto the application (interface 1.6). */
export interface Secrets {
  /** BIP-39 phrase of the signing wallet, words separated by one space. */
  readonly mnemonic: string
  readonly kycApiKey: string | undefined
  /** With the password; undefined for the embedded store. */
  readonly database: DatabaseAddress | undefined
  readonly upstreams: UpstreamUrls
  /** Undefined without webhooks. */
  readonly webhook: Webhook | undefined
}

/** The URLs of the upstreams, which may carry credentials and keys (interface 1.9). */
export type UpstreamUrls = Readonly<ReturnType<typeof upstreamUrls>>

type Settings = Static<typeof ConfigSchema>

/**
 * Reads and checks the whole configuration (interface 1.1 to 1.5) and removes the secrets from `env` (interface 1.8).
 *
 * @param env usually `process.env`; wins over the file
 * @param options.envFile path of a `.env` file, which may be missing; without it no file is read
 * @returns also the names of variables that may be misspelt (interface 1.19), and of those that send plain text to a public
 *   address (interface 1.21)
 * @throws ConfigError with all problems
 */
export function loadConfig(
  env: Environment,
  options: { envFile?: string } = {}
): { config: Config; secrets: Secrets; unknown: string[]; unencrypted: string[] } {
  const sources = options.envFile === undefined ? [env] : [env, readEnvFile(options.envFile)]
  const read = readVariables(...sources)
  removeSecrets(env)
  const { values, nameOf } = read
  Value.Default(ConfigSchema, values)

  const { mnemonic, ...wallet } = readMnemonic(read)
  const { address, ...database } = readDatabase(read)
  const problems = [
    ...schemaProblems(values, nameOf),
    ...read.problems,
    ...wallet.problems,
    ...database.problems,
    ...contradictions(values),
    ...replacedSettings(sources)
  ]
  const isRead = problems.length === 0 && mnemonic !== undefined
  if (!isRead || !Value.Check(ConfigSchema, values)) throw new ConfigError(problems)

  return {
    config: withoutSecrets(values),
    secrets: {
      mnemonic,
      kycApiKey: values.KYC_API_KEY,
      database: address,
      upstreams: upstreamUrls(values),
      webhook: webhookOf(values)
    },
    unknown: unknownVariables(sources),
    unencrypted: unencryptedVariables(values, address).map(nameOf)
  }
}

/** Also fills in the defaults that depend on other variables (interface 1.12, 1.14, 2.2, 17.10). */
function withoutSecrets({
  SERVICE_BACKEND_MNEMONIC,
  SERVICE_BACKEND_NODE_PROVIDER,
  SERVICE_BACKEND_NODE_PROVIDER_QUERY,
  SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL,
  SERVICE_BACKEND_FEE_URL,
  SERVICE_CHAIN_RPC,
  COMPLIANCE_URL,
  KYC_URL,
  KYC_API_KEY,
  DATABASE_URL,
  SERVICE_WEBHOOK_URL,
  SERVICE_WEBHOOK_SECRET,
  ...settings
}: Settings) {
  const names = brandNames(settings.SERVICE_BRAND)
  const isMainnet = settings.SERVICE_ENVIRONMENT === 'mainnet'
  return Object.freeze({
    ...settings,
    SERVICE_QUOTE_CHECK: settings.SERVICE_QUOTE_CHECK ?? (isMainnet ? 'required' : 'known'),
    SERVICE_APPROVAL_CHECK: settings.SERVICE_APPROVAL_CHECK ?? (isMainnet ? 'enforce' : 'observe'),
    SERVICE_CHAIN_PREFIX: settings.SERVICE_CHAIN_PREFIX ?? names.prefix,
    SERVICE_CHAIN_DENOM: settings.SERVICE_CHAIN_DENOM ?? names.denom,
    SERVICE_CHAIN_API_PATH: settings.SERVICE_CHAIN_API_PATH ?? names.apiPath,
    SERVICE_DAILY_FEE_LIMIT:
      settings.SERVICE_DAILY_FEE_LIMIT ?? defaultDailyFeeLimit(settings.SERVICE_GAS_PRICE),
    SERVICE_BACKEND_FEE_PATH:
      settings.SERVICE_BACKEND_FEE_PATH ?? `/${settings.SERVICE_FEE_API}/fees/calculate`
  })
}

function upstreamUrls(settings: Settings) {
  const chainApi = settings.SERVICE_BACKEND_NODE_PROVIDER_QUERY
  return {
    nodes: settings.SERVICE_BACKEND_NODE_PROVIDER,
    chainApi,
    index: settings.SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL,
    fees: settings.SERVICE_BACKEND_FEE_URL ?? chainApi,
    /** By the short names of EVM chains. */
    chainRpc: settings.SERVICE_CHAIN_RPC ?? {},
    compliance: settings.COMPLIANCE_URL,
    kyc: settings.KYC_URL
  }
}
