import { configError, unreadable } from '../services/config-error.ts'
import {
  DATABASE_URL_FORM,
  type DatabaseAddress,
  readDatabaseUrl
} from '../services/submission/store/postgres/database-url.ts'
import {
  isPublicPhrase,
  MNEMONIC_FORM,
  mnemonicProblem,
  normaliseMnemonic
} from '../services/wallet/mnemonic.ts'
import { type Receivers, receiversInFile, singleReceiver } from '../services/webhooks/receivers.ts'
import type { Read } from './read.ts'
import { whyStrict } from './rules.ts'

/** Reads the mnemonic (interface 1.7, 1.22). @throws ConfigError */
export function readMnemonic({ values, nameOf }: Read): string | undefined {
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

/** Reads the database address (interface 1.15). @throws ConfigError */
export function readDatabase({ values, nameOf }: Read): DatabaseAddress | undefined {
  const url = values['DATABASE_URL']
  if (typeof url !== 'string') return undefined
  const variable = nameOf('DATABASE_URL')
  let address: DatabaseAddress | undefined
  try {
    address = readDatabaseUrl(url)
  } catch (error) {
    const expected = 'the path of a readable file with certificates'
    throw configError(variable, `has an sslrootcert that ${unreadable(error)}`, expected)
  }
  if (address === undefined) throw configError(variable, 'is malformed', DATABASE_URL_FORM)
  return address
}

/**
 * Reads the webhook receivers, from the variables for one receiver or from a file (interface 1.20). @throws ConfigError
 */
export function readReceivers({ values }: Read): Receivers | undefined {
  const { SERVICE_WEBHOOKS_FILE: path, SERVICE_WEBHOOK_URL: url, SERVICE_WEBHOOK_SECRET: secrets } = values
  if (typeof path === 'string') return receiversInFile(path, whyStrict(values) !== undefined)
  return typeof url === 'string' && Array.isArray(secrets) ? singleReceiver(url, secrets) : undefined
}
