import {
  DATABASE_URL_FORM,
  type DatabaseAddress,
  readDatabaseUrl
} from '../services/submission/store/postgres/database-url.ts'
import { problem } from './problems.ts'
import type { Read } from './read.ts'

/** Reads where the database is, if the service has one (interface 1.15). */
export function readDatabase({ values, nameOf }: Read): { address?: DatabaseAddress; problems: string[] } {
  const url = values['DATABASE_URL']
  if (typeof url !== 'string') return { problems: [] }
  const variable = nameOf('DATABASE_URL')
  try {
    const address = readDatabaseUrl(url)
    return address
      ? { address, problems: [] }
      : { problems: [problem(variable, 'is malformed', DATABASE_URL_FORM)] }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    const wrong = `names an sslrootcert that cannot be read${code}`
    return { problems: [problem(variable, wrong, 'the path of a readable file with certificates')] }
  }
}
