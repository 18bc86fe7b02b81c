import { join } from 'node:path'
import Database from 'libsql'

/** A new database in that directory, from before the first version of the schema. */
export function olderDatabase(directory: string): Database.Database {
  const database = new Database(join(directory, 'submissions.db'))
  database.exec('VACUUM')
  return database
}
