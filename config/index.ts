import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { brandNames } from '../schemas/brand.ts'
import { ConfigError, configError, unreadable } from '../services/config-error.ts'
import { addSecrets } from '../services/secrets.ts'
import { defaultDailyFeeLimit } from '../services/submission/decide/fees.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/connection.ts'
import {
  isPublicPhrase,
  MNEMONIC_FORM,
  mnemonicProblem,
  normaliseMnemonic
} from '../services/wallet/mnemonic.ts'
import { webhookKey } from '../services/webhooks/signature.ts'
import { DATABASE_URL_FORM, readDatabaseUrl } from './database-url.ts'
import { readEnvFile } from './env-file.ts'
import { attempt, type Environment, merge, type Read, readVariables } from './read.ts'
import { contradictions, unknownVariables, weakenedChecks } from './rules.ts'
import { SecretsSchema, SettingsSchema, secretNames } from './schema.ts'

export type Config = ReturnType<typeof withDerivedDefaults>

export type Configuration = ReturnType<typeof loadConfig>

/** The secrets. Never log or serialise them (interface 1.6). */
export type Secrets = Configuration['secrets']

/**
 * Reads and validates the configuration (interface 1.1, 1.4). Removes the secrets from `env`, so that child processes
 * and threads do not inherit them.
 * @param env usually `process.env`; takes precedence over the file
 * @param options.envFile path of an optional `.env` file
 * @returns the settings, the secrets, and warnings for the log (interface 1.19, 1.24)
 * @throws ConfigError with all problems
 */
export function loadConfig(env: Environment, options: { envFile?: string } = {}) {
  const given = merge(options.envFile === undefined ? {} : readEnvFile(options.envFile), env)
  for (const name of secretNames) delete env[name]
  const read = readVariables(given)
  const { values } = read
  const problems = [...read.problems]
  const mnemonic = attempt(problems, () => readMnemonic(read))
  const database = attempt(problems, () => readDatabase(read))
  problems.push(...contradictions(values))
  const settings = Value.Clean(SettingsSchema, { ...values })
  const secrets = Value.Clean(SecretsSchema, { ...values })
  const isValid = problems.length === 0 && mnemonic !== undefined
  if (!isValid || !Value.Check(SettingsSchema, settings) || !Value.Check(SecretsSchema, secrets))
    throw new ConfigError(problems)

  const config = withDerivedDefaults(settings)
  const warnings: (readonly [message: string, variables: string[]])[] = [
    ['unknown variables are ignored', unknownVariables(given)],
    ['nothing is executed: the server runs in shadow mode', config.SERVICE_SHADOW ? ['SERVICE_SHADOW'] : []],
    ['mainnet runs with weaker checks than the defaults', weakenedChecks(config)]
  ]
  const { SERVICE_WEBHOOK_URL: url, SERVICE_WEBHOOK_SECRET: keys = [] } = secrets
  const chainApi = secrets.SERVICE_BACKEND_NODE_PROVIDER_QUERY
  addSecrets([secrets.KYC_API_KEY ?? '', String(database?.password ?? '')])
  return {
    config,
    secrets: {
      /** BIP-39 phrase of the signing wallet, with words separated by single spaces. */
      mnemonic,
      kycApiKey: secrets.KYC_API_KEY,
      database,
      upstreams: {
        nodes: secrets.SERVICE_BACKEND_NODE_PROVIDER,
        chainApi,
        index: secrets.SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL,
        fees: feeApi(chainApi, secrets.SERVICE_BACKEND_FEE_URL),
        evmRpc: secrets.SERVICE_EVM_RPC ?? {},
        bitcoin: secrets.BTC_API_URL,
        compliance: secrets.COMPLIANCE_URL,
        kyc: secrets.KYC_URL
      },
      webhooks:
        url === undefined ? undefined : { url, keys: keys.map(webhookKey).filter(key => key !== undefined) }
    },
    warnings: warnings.filter(([, variables]) => variables.length > 0)
  }
}

/** The separator and the data of a wallet's bech32 address. */
const AFTER_PREFIX = /1[^1]{38}$/

/** Adds what depends on other variables (interface 1.10, 2.2, 17.10). */
export function withDerivedDefaults(settings: Static<typeof SettingsSchema>) {
  const names = brandNames(settings.SERVICE_BRAND)
  const isMainnet = settings.SERVICE_ENVIRONMENT === 'mainnet'
  const [, gasPrice = '', denom] = /^([\d.]+)([a-zA-Z].*)?$/.exec(settings.SERVICE_GAS_PRICE) ?? []
  return Object.freeze({
    ...settings,
    SERVICE_QUOTE_CHECK: settings.SERVICE_SHADOW
      ? 'known'
      : (settings.SERVICE_QUOTE_CHECK ?? (isMainnet ? 'required' : 'known')),
    SERVICE_APPROVAL_CHECK: settings.SERVICE_APPROVAL_CHECK ?? (isMainnet ? 'enforce' : 'observe'),
    SERVICE_DAILY_FEE_LIMIT: settings.SERVICE_DAILY_FEE_LIMIT ?? defaultDailyFeeLimit(gasPrice),
    /** The balance below which to warn, if the operator has set a daily limit. */
    lowBalance: settings.SERVICE_DAILY_FEE_LIMIT,
    chainPrefix: settings.SERVICE_SIGNER_ADDRESS?.replace(AFTER_PREFIX, '') ?? names.prefix,
    feeDenom: denom ?? names.denom,
    gasPrice
  })
}

/**
 * Returns where to request quotes: from the fee service's own URL, which may end in its API version (interface 5.4), or
 * from the chain's REST API.
 */
function feeApi(chainApi: string, own?: string) {
  const [, version] = /\/(v[23])\/*$/.exec(own === undefined ? '' : new URL(own).pathname) ?? []
  const api: 'v2' | 'v3' = version === 'v3' ? 'v3' : 'v2'
  return { baseUrl: own ?? chainApi, path: `${version ? '' : '/v2'}/fees/calculate`, api }
}

function readMnemonic({ values, nameOf }: Read): string | undefined {
  const text = values['SERVICE_BACKEND_MNEMONIC']
  if (typeof text !== 'string') return undefined
  const mnemonic = normaliseMnemonic(text)
  const isPublic = values['SERVICE_ENVIRONMENT'] === 'mainnet' && isPublicPhrase(mnemonic)
  const wrong = isPublic
    ? 'is a public phrase while SERVICE_ENVIRONMENT is mainnet'
    : mnemonicProblem(mnemonic)
  if (wrong !== undefined) throw configError(nameOf('SERVICE_BACKEND_MNEMONIC'), wrong, MNEMONIC_FORM)
  return mnemonic
}

function readDatabase({ values, nameOf }: Read): DatabaseAddress | undefined {
  const url = values['DATABASE_URL']
  if (typeof url !== 'string') return undefined
  const variable = nameOf('DATABASE_URL')
  try {
    const address = readDatabaseUrl(url)
    if (address !== undefined) return address
  } catch (error) {
    const path = new URL(url).searchParams.get('sslrootcert') ?? ''
    const expected = 'the path of a readable file with certificates'
    throw configError(variable, `has an sslrootcert that ${unreadable(error, path)}`, expected)
  }
  throw configError(variable, 'is malformed', DATABASE_URL_FORM)
}

/** The variables with the collector's URL, in OpenTelemetry's order of precedence. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/** Returns whether to export spans (interface 14.20). @throws ConfigError when the collector's URL is malformed */
export function exportsSpans(env: Environment): boolean {
  const textOf = (name: string) => env[name]?.trim() ?? ''
  const isDisabled = textOf('OTEL_SDK_DISABLED').toLowerCase() === 'true'
  const endpoint = ENDPOINTS.find(textOf)
  if (isDisabled || endpoint === undefined || textOf('OTEL_TRACES_EXPORTER') === 'none') return false
  if (URL.canParse(textOf(endpoint)) && /^https?:/i.test(textOf(endpoint))) return true
  throw configError(endpoint, 'is malformed', 'an http or https URL')
}
