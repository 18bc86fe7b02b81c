import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { brandNames } from '../services/brand.ts'
import { readMnemonic } from './mnemonic.ts'
import { ConfigError, schemaProblems } from './problems.ts'
import { type Environment, readEnvFile, readVariables } from './read.ts'
import { contradictions } from './rules.ts'
import { ConfigSchema } from './schema.ts'
import { unsupportedSettings } from './unsupported.ts'

export { ConfigError } from './problems.ts'

type SecretName = 'SERVICE_BACKEND_MNEMONIC' | 'SERVICE_BACKEND_MNEMONIC_FILE' | 'KYC_API_KEY'

type DerivedName =
  | 'SERVICE_CHAIN_PREFIX'
  | 'SERVICE_CHAIN_DENOM'
  | 'SERVICE_CHAIN_API_PATH'
  | 'SERVICE_BACKEND_FEE_URL'

type Variables = Static<typeof ConfigSchema>

/** The settings under their variables' names, defaults applied, no secret among them. */
export type Config = Readonly<
  Omit<Variables, SecretName | DerivedName> & Required<Pick<Variables, DerivedName>>
>

/** What must never be logged, decorated or serialised. */
export interface Secrets {
  /** BIP-39 phrase of the signing wallet, words separated by one space. */
  readonly mnemonic: string
  readonly kycApiKey: string | undefined
}

/**
 * Reads and checks the whole configuration (contract §2) and removes the phrase from `env`.
 *
 * @param env usually `process.env`; wins over the file
 * @param options.envFile path of a `.env` file, read when present; none is read without it
 * @throws ConfigError with every problem at once
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
  const problems = [
    ...schemaProblems(read),
    ...('problem' in wallet ? [wallet.problem] : []),
    ...contradictions(read),
    ...unsupportedSettings(read)
  ]
  if ('problem' in wallet || problems.length > 0 || !Value.Check(ConfigSchema, read))
    throw new ConfigError(problems)

  const { SERVICE_BACKEND_MNEMONIC, SERVICE_BACKEND_MNEMONIC_FILE, KYC_API_KEY, ...settings } = read
  const names = brandNames(settings.SERVICE_BRAND)
  const config: Config = Object.freeze({
    ...settings,
    SERVICE_CHAIN_PREFIX: settings.SERVICE_CHAIN_PREFIX ?? names.prefix,
    SERVICE_CHAIN_DENOM: settings.SERVICE_CHAIN_DENOM ?? names.denom,
    SERVICE_CHAIN_API_PATH: settings.SERVICE_CHAIN_API_PATH ?? names.apiPath,
    SERVICE_BACKEND_FEE_URL: settings.SERVICE_BACKEND_FEE_URL ?? settings.SERVICE_BACKEND_NODE_PROVIDER_QUERY
  })
  return { config, secrets: { mnemonic: wallet.mnemonic, kycApiKey: KYC_API_KEY } }
}
