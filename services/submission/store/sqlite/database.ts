import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'libsql'
import { FileLockedError, lockFile } from '../../../file-lock.ts'
import { StoreUnavailableError } from '../errors.ts'
import { Count, mapper } from '../rows.ts'
import { migrations } from '../schema.ts'

export type Connection = Database.Database

/** An open database; `close` releases the data directory too. */
export interface OpenDatabase {
  connection: Connection
  /**
   * What is written to a file that was deleted or replaced is lost at the next start.
   * @throws StoreUnavailableError
   */
  assertInPlace?(): void
  close(): void
}

/** The data directory cannot be used: no permission, used by another process, or written by another version. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError'

  constructor(directory: string, reason: string, options?: ErrorOptions) {
    super(`SERVICE_DATA_DIR: ${directory} ${reason}`, options)
  }
}

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Moves what is only in the write-ahead log into the database, and flushes it. */
const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)'

/** Hides the table of the file: terms are this process's alone, and begin also while the disk fails. */
const TERMS = 'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE wallet AS SELECT * FROM main.wallet'

const databaseFile = (directory: string) => join(directory, 'submissions.db')
const logOf = (file: string) => `${file}-wal`
const stat = (path: string) => statSync(path, { throwIfNoEntry: false })
const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/**
 * Opens the embedded database for this process alone, so that no second process uses the same wallet and store. Every
 * commit is on the disk before it returns.
 * @throws DataDirectoryError
 */
export function openDatabase(directory: string): OpenDatabase {
  const lock = lockedDirectory(directory)
  try {
    const file = databaseFile(resolve(directory))
    makePrivate(file)
    const wasKilled = (stat(logOf(file))?.size ?? 0) > 0
    const connection = new Database(file)
    if (wasKilled) assertWhole(connection, directory)
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // What a process wrote that was killed, or whose flush failed, may not be on the disk yet.
    connection.exec(FOLD_LOG)
    const inodes = [file, logOf(file)].map(path => [path, stat(path)?.ino] as const)
    migrate(connection, directory)
    connection.exec(TERMS)
    return {
      connection,
      assertInPlace() {
        const moved = inodes.find(([path, inode]) => stat(path)?.ino !== inode)
        if (moved === undefined) return
        throw new StoreUnavailableError(`is not where it was: ${basename(moved[0])} was deleted or replaced`)
      },
      close() {
        foldLog(connection)
        connection.close()
        lock.close()
      }
    }
  } catch (cause) {
    lock.close()
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
    const version = knownVersion(connection, directory)
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
  if (!stat(databaseFile(directory))?.size) throw new DataDirectoryError(directory, 'holds no database')
}

const toVersion = mapper('pragma', '', { userVersion: Count })

/** @throws StoreCorruptError */
export const schemaVersion = (connection: Connection): number =>
  toVersion(Object(connection.prepare('PRAGMA user_version').get({}))).userVersion

/** @throws DataDirectoryError when the schema is newer */
function knownVersion(connection: Connection, directory: string): number {
  const version = schemaVersion(connection)
  if (version <= migrations.length) return version
  throw new DataDirectoryError(directory, `was written by a newer version (schema ${version})`)
}

function migrate(connection: Connection, directory: string): void {
  const applied = knownVersion(connection, directory)
  if (applied === migrations.length) return
  const wallet = applied === 0 ? ["INSERT INTO wallet (address) VALUES ('')"] : []
  const steps = [...migrations.slice(applied), ...wallet, `PRAGMA user_version = ${migrations.length}`]
  connection.transaction(() => void connection.exec(steps.join(';')))()
}

/**
 * A database that was put next to the log of another copy is a mixture of both, which most queries read without an error. This
 * looks before anything is moved between them; closing the connection would move it.
 * @throws DataDirectoryError
 */
function assertWhole(connection: Connection, directory: string): void {
  try {
    // A value that no statement could have written is damage of its row alone, which is found where the row is read.
    connection.exec('PRAGMA ignore_check_constraints = ON')
    const result: unknown = connection.prepare('PRAGMA integrity_check(1)').get({})
    connection.exec('PRAGMA ignore_check_constraints = OFF')
    if (Object(result).integrity_check === 'ok') return
  } catch {
    // As damaged as one with an error in its report.
  }
  const advice = 'a restored one must not have a submissions.db-wal of another time beside it'
  throw new DataDirectoryError(directory, `has a damaged submissions.db: ${advice}`)
}

/** So that a copy of this one file is whole. */
function foldLog(connection: Connection): void {
  try {
    connection.exec(FOLD_LOG)
  } catch {
    // The disk is full or fails. The log has it all, and the next start reads it.
  }
}

function asDirectoryError(directory: string, cause: unknown): DataDirectoryError {
  if (cause instanceof DataDirectoryError) return cause
  return new DataDirectoryError(directory, `cannot be opened: ${reasonOf(cause)}`, { cause })
}

/** Like `mkdir -p`. Node's recursive mkdir never returns where a parent cannot have directories, as in /proc. */
function makeDirectory(directory: string): void {
  if (stat(directory)?.isDirectory()) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

/**
 * Creates a database's file for its owner alone, whatever the umask of the process, or takes the others' permissions away.
 * One that exists is not opened: closing it would release the locks that this process has on it.
 * SQLite gives its journals, `-wal` and `-shm`, the mode of the database; those of an earlier version may have another.
 */
function makePrivate(database: string): void {
  if (!existsSync(database)) closeSync(openSync(database, 'a', OWNER_ONLY))
  for (const path of [database, logOf(database), `${database}-shm`]) {
    try {
      if (((stat(path)?.mode ?? 0) & OTHERS) !== 0) chmodSync(path, OWNER_ONLY)
    } catch {
      // Some file systems have no permissions, and of a mounted volume another user may own the files.
    }
  }
}

/**
 * Creates a data directory, and locks it for this process alone.
 * @throws DataDirectoryError
 */
function lockedDirectory(directory: string): { close(): void } {
  try {
    makeDirectory(resolve(directory))
    accessSync(directory, constants.W_OK)
  } catch (cause) {
    throw new DataDirectoryError(directory, 'is not a directory that can be written', { cause })
  }
  const path = join(directory, 'lock.db')
  try {
    makePrivate(path)
    return lockFile(path)
  } catch (cause) {
    if (cause instanceof FileLockedError) {
      throw new DataDirectoryError(directory, 'is in use by another process: stop the server first', {
        cause
      })
    }
    throw new DataDirectoryError(directory, `cannot be locked: ${reasonOf(cause)}`, { cause })
  }
}
