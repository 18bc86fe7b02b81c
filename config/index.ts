import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { brandNames } from '../services/brand.ts'
import type { DatabaseAddress } from '../services/submission/store/postgres/database-url.ts'
import { readDatabase } from './database.ts'
import { readMnemonic } from './mnemonic.ts'
import { readOptionalSecret } from './optional-secret.ts'
import { ConfigError, schemaProblems } from './problems.ts'
import { type Environment, readEnvFile, readVariables } from './read.ts'
import { replacedSettings } from './replaced.ts'
import { contradictions } from './rules.ts'
import { ConfigSchema } from './schema.ts'

export { ConfigError } from './problems.ts'

/**
 * The settings under the names of their variables, with defaults and without secrets, except that the URL of an upstream
 * may carry a key (interface 1.9).
 */
export type Config = ReturnType<typeof withoutSecrets>

/** Never logged, serialised or put onto the application (interface 1.6). */
export interface Secrets {
  /** BIP-39 phrase of the signing wallet, words separated by one space. */
  readonly mnemonic: string
  readonly kycApiKey: string | undefined
  /** With the password; undefined for the embedded store. */
  readonly database: DatabaseAddress | undefined
}

/**
 * Reads and checks the whole configuration (interface 1.1 to 1.5) and removes the mnemonic from `env` (interface 1.8).
 *
 * @param env usually `process.env`; wins over the file
 * @param options.envFile path of a `.env` file, which may be missing; without it no file is read
 * @throws ConfigError with all problems
 */
export function loadConfig(
  env: Environment,
  options: { envFile?: string } = {}
): { config: Config; secrets: Secrets } {
  const sources = options.envFile === undefined ? [env] : [env, readEnvFile(options.envFile)]
  const read = readVariables(...sources)
  delete env['SERVICE_BACKEND_MNEMONIC']
  Value.Default(ConfigSchema, read)

  const wallet = readMnemonic(read)
  const kyc = readOptionalSecret(read, 'KYC_API_KEY', 'the key')
  const database = readDatabase(read)
  const problems = [
    ...schemaProblems(read),
    ...[wallet, kyc, database].flatMap(result => ('problem' in result ? [result.problem] : [])),
    ...contradictions(read),
    ...replacedSettings(sources)
  ]
  const isRead = !('problem' in wallet || 'problem' in kyc || 'problem' in database)
  if (!isRead || problems.length > 0 || !Value.Check(ConfigSchema, read)) throw new ConfigError(problems)

  return {
    config: withoutSecrets(read),
    secrets: { mnemonic: wallet.mnemonic, kycApiKey: kyc.secret, database: database.address }
  }
}

/** Also fills in the defaults that depend on other variables (interface 1.12, 2.2). */
function withoutSecrets({
  SERVICE_BACKEND_MNEMONIC,
  SERVICE_BACKEND_MNEMONIC_FILE,
  KYC_API_KEY,
  KYC_API_KEY_FILE,
  DATABASE_URL,
  DATABASE_URL_FILE,
  ...settings
}: Static<typeof ConfigSchema>) {
  const names = brandNames(settings.SERVICE_BRAND)
  return Object.freeze({
    ...settings,
    SERVICE_CHAIN_PREFIX: settings.SERVICE_CHAIN_PREFIX ?? names.prefix,
    SERVICE_CHAIN_DENOM: settings.SERVICE_CHAIN_DENOM ?? names.denom,
    SERVICE_CHAIN_API_PATH: settings.SERVICE_CHAIN_API_PATH ?? names.apiPath,
    SERVICE_BACKEND_FEE_URL: settings.SERVICE_BACKEND_FEE_URL ?? settings.SERVICE_BACKEND_NODE_PROVIDER_QUERY,
    SERVICE_BACKEND_FEE_PATH:
      settings.SERVICE_BACKEND_FEE_PATH ?? `/${settings.SERVICE_FEE_API}/fees/calculate`
  })
}
