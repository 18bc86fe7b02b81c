import { join } from 'node:path'
import Database from 'libsql'

/** Creates a database in that directory, older than the first schema version. */
export function olderDatabase(directory: string): Database.Database {
  const database = new Database(join(directory, 'submissions.db'))
  database.exec('VACUUM')
  return database
}
