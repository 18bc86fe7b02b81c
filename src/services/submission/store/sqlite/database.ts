import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { migrations } from './migrations.ts'

export type { Database }

/** The data directory cannot serve: missing rights, in use by another process, or written by a newer version. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError'
}

/**
 * Opens the embedded database, alone: the exclusive lock keeps a second process from driving the same wallet.
 * Every commit is on the disk before it returns.
 * @throws DataDirectoryError
 */
export function openDatabase(directory: string): Database.Database {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK)
  } catch (cause) {
    throw new DataDirectoryError(`SERVICE_DATA_DIR: ${directory} is not a directory that can be written`, {
      cause
    })
  }
  const database = new Database(join(directory, 'submissions.db'))
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    migrate(database)
    return database
  } catch (cause) {
    database.close()
    if (cause instanceof DataDirectoryError) throw cause
    const locked = cause instanceof Error && cause.message.includes('locked')
    const reason = locked ? 'is in use by another process' : 'holds no readable database'
    throw new DataDirectoryError(`SERVICE_DATA_DIR: ${directory} ${reason}`, { cause })
  }
}

function migrate(database: Database.Database): void {
  const applied = Number(database.pragma('user_version', { simple: true }))
  if (applied > migrations.length) {
    throw new DataDirectoryError(`SERVICE_DATA_DIR: written by a newer version (schema ${applied})`)
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue
    database.transaction(() => {
      database.exec(migration)
      database.exec(`PRAGMA user_version = ${index + 1}`)
    })()
  }
}
