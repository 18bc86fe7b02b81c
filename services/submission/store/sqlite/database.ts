import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'libsql'
import { StoreCorruptError } from '../errors.ts'
import { VersionRow } from '../rows/shapes.ts'
import { lockDirectory } from './lock.ts'
import { migrations } from './migrations.ts'

export type Connection = Database.Database

/** An open database; `close` releases the data directory too. */
export interface OpenDatabase {
  connection: Connection
  close(): void
}

/** Runs `work` as one database transaction; its errors become rejections. */
export async function atomically<T>(connection: Connection, work: () => T): Promise<T> {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    connection.exec('COMMIT')
    return result
  } catch (err) {
    // After a full disk, SQLite has rolled back already. The driver's own function would then hide the reason.
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw err
  }
}

/** The data directory cannot be used: no permission, used by another process, or written by a newer version. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError'

  constructor(directory: string, reason: string, options?: ErrorOptions) {
    super(`SERVICE_DATA_DIR: ${directory} ${reason}`, options)
  }
}

/** Another process uses the data directory. */
export class DirectoryInUseError extends DataDirectoryError {
  constructor(directory: string, options?: ErrorOptions) {
    super(directory, 'is in use by another process', options)
  }
}

/**
 * Opens the embedded database for this process alone, so that no second process uses the same wallet and store. Every
 * commit is on the disk before it returns.
 * @throws DataDirectoryError
 */
export function openDatabase(directory: string): OpenDatabase {
  const lock = lockedDirectory(directory)
  try {
    const connection = new Database(databaseFile(directory))
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    migrate(connection, directory)
    return {
      connection,
      close() {
        connection.close()
        lock.release()
      }
    }
  } catch (cause) {
    lock.release()
    throw asDirectoryError(directory, cause)
  }
}

/**
 * Opens the database only to read it, also while another process uses the directory.
 * @throws DataDirectoryError when there is none, or its schema is not this version's
 */
export function openForReading(directory: string): OpenDatabase {
  assertHoldsDatabase(directory)
  const connection = new Database(databaseFile(directory))
  try {
    connection.exec('PRAGMA query_only = ON')
    const version = schemaVersion(connection)
    if (version > migrations.length) throw newerVersion(directory, version)
    if (version < migrations.length) {
      const upgrade = 'the server, and each command that needs it stopped, upgrades it'
      throw new DataDirectoryError(
        directory,
        `was written by an older version (schema ${version}): ${upgrade}`
      )
    }
  } catch (cause) {
    connection.close()
    throw asDirectoryError(directory, cause)
  }
  return { connection, close: () => void connection.close() }
}

/** @throws DataDirectoryError when there is no database, where none must be created */
export function assertHoldsDatabase(directory: string): void {
  const size = statSync(databaseFile(directory), { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) throw new DataDirectoryError(directory, 'holds no database')
}

const newerVersion = (directory: string, version: number) =>
  new DataDirectoryError(directory, `was written by a newer version (schema ${version})`)

function asDirectoryError(directory: string, cause: unknown): DataDirectoryError {
  if (cause instanceof DataDirectoryError) return cause
  return new DataDirectoryError(directory, 'holds no database that can be read', { cause })
}

const databaseFile = (directory: string) => join(directory, 'submissions.db')

/** Like `mkdir -p`. Node's recursive mkdir never returns where a parent cannot have directories, as in /proc. */
function makeDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

function lockedDirectory(directory: string): { release(): void } {
  try {
    makeDirectory(resolve(directory))
    accessSync(directory, constants.W_OK)
  } catch (cause) {
    throw new DataDirectoryError(directory, 'is not a directory that can be written', { cause })
  }
  try {
    return lockDirectory(directory)
  } catch (cause) {
    throw new DirectoryInUseError(directory, { cause })
  }
}

function migrate(connection: Connection, directory: string): void {
  const applied = schemaVersion(connection)
  if (applied > migrations.length) throw newerVersion(directory, applied)
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue
    connection.transaction(() => {
      if (typeof migration === 'string') connection.exec(migration)
      else migration(connection)
      connection.exec(`PRAGMA user_version = ${index + 1}`)
    })()
  }
}

/** @throws StoreCorruptError */
function schemaVersion(connection: Connection): number {
  const row: unknown = connection.prepare('PRAGMA user_version').get({})
  if (!VersionRow.Check(row)) throw new StoreCorruptError('pragma', 'user_version', 'user_version')
  return row.user_version
}
