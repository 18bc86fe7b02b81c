import { join } from 'node:path'
import Database from 'libsql'
import { migrations } from '../../services/submission/store/sqlite/migrations.ts'

/** The version before the step that gives a submission several identities. */
const VERSION = 3

/** A new database in that directory, with the schema of an older version. */
export function olderDatabase(directory: string): Database.Database {
  const database = new Database(join(directory, 'submissions.db'))
  for (const step of migrations.slice(0, VERSION)) if (typeof step === 'string') database.exec(step)
  database.exec(`PRAGMA user_version = ${VERSION}`)
  return database
}
