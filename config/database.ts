import {
  DATABASE_URL_FORM,
  type DatabaseAddress,
  readDatabaseUrl
} from '../services/submission/store/postgres/database-url.ts'
import { readOptionalSecret } from './optional-secret.ts'
import { problem } from './problems.ts'
import type { Values } from './rules.ts'

/** Reads where the database is, if the service has one (interface 1.15). */
export function readDatabase(values: Values): { address: DatabaseAddress | undefined } | { problem: string } {
  const url = readOptionalSecret(values, 'DATABASE_URL', 'the URL of a database')
  if ('problem' in url) return url
  if (url.secret === undefined) return { address: undefined }
  const variable = values.DATABASE_URL === undefined ? 'DATABASE_URL_FILE' : 'DATABASE_URL'
  try {
    const address = readDatabaseUrl(url.secret)
    return address ? { address } : { problem: problem(variable, 'is malformed', DATABASE_URL_FORM) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    const wrong = `names an sslrootcert that cannot be read${code}`
    return { problem: problem(variable, wrong, 'the path of a readable file with certificates') }
  }
}
