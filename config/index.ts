import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { brandNames } from '../services/brand.ts'
import { ConfigError } from '../services/config-error.ts'
import { defaultDailyFeeLimit } from '../services/submission/sign/fees.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/database-url.ts'
import type { Receivers } from '../services/webhooks/receivers.ts'
import { attempt, type Environment, merge, readEnvFile, readVariables } from './read.ts'
import {
  contradictions,
  foreignSettings,
  readableSecrets,
  replacedSettings,
  unencryptedVariables,
  unknownVariables,
  weakenedChecks
} from './rules.ts'
import { SecretsSchema, SettingsSchema, secretNames } from './schema.ts'
import { readDatabase, readMnemonic, readReceivers } from './secrets.ts'

/** The settings, keyed by variable name, with defaults and without secrets. */
export type Config = ReturnType<typeof withDerivedDefaults>

/** A log message, and the variables concerned. */
export type Warning = readonly [message: string, variables: string[]]

/** The secrets. Never log them, serialise them or decorate the application with them (interface 1.6). */
export type Secrets = Readonly<ReturnType<typeof secretsOf>>

/**
 * Reads and validates the configuration (interface 1.1 to 1.5). Removes the secrets from `env`, so that child processes
 * and threads do not inherit them (interface 1.8).
 * @param env usually `process.env`; takes precedence over the file
 * @param options.envFile path of an optional `.env` file
 * @returns the settings, the secrets, and warnings for the log (interface 1.19, 1.21, 1.24, 1.26)
 * @throws ConfigError with all problems
 */
export function loadConfig(
  env: Environment,
  options: { envFile?: string } = {}
): { config: Config; secrets: Secrets; warnings: Warning[] } {
  const given = merge(options.envFile === undefined ? {} : readEnvFile(options.envFile), env)
  for (const name of secretNames) delete env[name]
  const read = readVariables(given)
  const { values, nameOf } = read
  const problems = [...read.problems]
  const mnemonic = attempt(problems, () => readMnemonic(read))
  const database = attempt(problems, () => readDatabase(read))
  const receivers = attempt(problems, () => readReceivers(read))
  problems.push(...contradictions(values), ...replacedSettings(given), ...foreignSettings(given))
  const settings = Value.Clean(SettingsSchema, { ...values })
  const secrets = Value.Clean(SecretsSchema, { ...values })
  const isValid = problems.length === 0 && mnemonic !== undefined
  if (!isValid || !Value.Check(SettingsSchema, settings) || !Value.Check(SecretsSchema, secrets))
    throw new ConfigError(problems)

  const config = withDerivedDefaults(settings)
  const urls = {
    ...secrets,
    SERVICE_SIGNER_URL: settings.SERVICE_SIGNER_URL,
    SERVICE_WEBHOOKS_FILE: receivers?.current().map(({ url }) => url) ?? []
  }
  const warnings = {
    'unknown variables are ignored': unknownVariables(given),
    'unencrypted connection to a public address': unencryptedVariables(urls, database).map(nameOf),
    'secret files are world-readable': readableSecrets(given),
    'mainnet runs with weaker checks than the defaults': weakenedChecks(config)
  }
  return {
    config,
    secrets: secretsOf(secrets, mnemonic, database, receivers),
    warnings: Object.entries(warnings).filter(([, variables]) => variables.length > 0)
  }
}

/** Fills in the defaults that depend on other variables (interface 1.12, 1.14, 2.2, 17.10). */
export function withDerivedDefaults(settings: Static<typeof SettingsSchema>) {
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

function secretsOf(
  secrets: Static<typeof SecretsSchema>,
  mnemonic: string,
  database: DatabaseAddress | undefined,
  webhooks: Receivers | undefined
) {
  const { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi } = secrets
  return {
    /** BIP-39 phrase of the signing wallet, with words separated by single spaces. */
    mnemonic,
    kycApiKey: secrets.KYC_API_KEY,
    /** The database address with its password; undefined for the embedded store. */
    database,
    /** The URLs can contain credentials and keys (interface 1.9). */
    upstreams: {
      nodes: secrets.SERVICE_BACKEND_NODE_PROVIDER,
      chainApi,
      index: secrets.SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL,
      fees: secrets.SERVICE_BACKEND_FEE_URL ?? chainApi,
      /** RPC URLs, keyed by the short names of EVM chains. */
      evmRpc: secrets.SERVICE_EVM_RPC ?? {},
      compliance: secrets.COMPLIANCE_URL,
      kyc: secrets.KYC_URL
    },
    /** The webhook receivers with their signing keys, if there are any. */
    webhooks
  }
}
