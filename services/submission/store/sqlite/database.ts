import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'libsql'
import { messageOf } from '../../../errors/shown.ts'
import { FileLockedError, lockFile } from '../../../file-lock.ts'
import { StoreUnavailableError } from '../../errors.ts'
import { Count, mapper } from '../rows.ts'
import { isUpgradable, migrationsAfter, otherSchema, SCHEMA_VERSION, schema } from '../schema.ts'

export type Connection = Database.Database

/** Reports that after closing, `submissions.db` alone is not complete. */
export type Incomplete = (reason: string) => void

/** An open database. `close` also releases the data directory. */
export interface OpenDatabase {
  connection: Connection
  /** Writes to a deleted or replaced file are lost at the next start. @throws StoreUnavailableError */
  assertInPlace?(): void
  close(): void
}

/** The data directory is unusable: it is not accessible, in use by another server, or from a different version. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError'

  constructor(directory: string, reason: string, options?: ErrorOptions) {
    super(`SERVICE_DATA_DIR: ${directory} ${reason}`, options)
  }
}

const OWNER_ONLY = 0o600

const DURABLE = 'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON'

/** Moves the write-ahead log into the database file, and flushes it. */
const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)'

/**
 * Makes SQLite wait for other programs while the database opens or closes. The wait blocks this process, so it must not
 * last longer.
 */
const WAIT = 'PRAGMA busy_timeout = 1000'
const DO_NOT_WAIT = 'PRAGMA busy_timeout = 0'

/** Shadows the file's table `wallet`: terms matter only to this process, and must begin even while the disk fails. */
const TERMS = 'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE wallet AS SELECT * FROM main.wallet'

const databaseFile = (directory: string) => join(directory, 'submissions.db')
const logOf = (file: string) => `${file}-wal`
const stat = (path: string) => statSync(path, { throwIfNoEntry: false })

/**
 * Opens the embedded database exclusively, so that no second process uses the same wallet and store. A commit returns
 * only once it is on disk. Only a server upgrades the schema.
 * @throws DataDirectoryError
 */
export function openDatabase(
  directory: string,
  onIncomplete?: Incomplete,
  user: 'server' | 'operator' = 'server'
): OpenDatabase {
  const lock = lockedDirectory(directory)
  try {
    const file = databaseFile(resolve(directory))
    makePrivate(file)
    const wasKilled = (stat(logOf(file))?.size ?? 0) > 0
    const connection = new Database(file)
    connection.exec(WAIT)
    if (wasKilled) assertWhole(connection, directory)
    connection.exec(`PRAGMA journal_mode = WAL; ${DURABLE}`)
    // Writes by a process that was killed, or whose flush failed, might not be on disk yet.
    connection.exec(FOLD_LOG)
    const inodes = [file, logOf(file)].map(path => [path, stat(path)?.ino] as const)
    const version = schemaVersion(connection)
    if (version === 0) connection.exec(CREATE)
    if (user === 'server' && isUpgradable(version)) connection.exec(upgradeFrom(version))
    assertSchema(connection, directory)
    connection.exec(TERMS)
    connection.exec(DO_NOT_WAIT)
    return {
      connection,
      assertInPlace() {
        const moved = inodes.find(([path, inode]) => stat(path)?.ino !== inode)
        if (moved === undefined) return
        throw new StoreUnavailableError(
          `is no longer in place: ${basename(moved[0])} was deleted or replaced`
        )
      },
      close() {
        foldLog(connection, onIncomplete)
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
 * Opens an existing database read-only, even while another process uses the directory.
 * @throws DataDirectoryError if its schema has a different version
 */
export function openForReading(directory: string): OpenDatabase {
  const connection = new Database(databaseFile(directory))
  try {
    connection.exec(`PRAGMA query_only = ON; ${WAIT}`)
    assertSchema(connection, directory)
  } catch (cause) {
    connection.close()
    throw asDirectoryError(directory, cause)
  }
  return { connection, close: () => void connection.close() }
}

/** Opens an existing database for a single change, even while a server uses it. @throws DataDirectoryError */
export function openBesideServer(directory: string, onIncomplete?: Incomplete): OpenDatabase {
  try {
    return openDatabase(directory, onIncomplete, 'operator')
  } catch (error) {
    if (!(error instanceof DataDirectoryError && error.cause instanceof FileLockedError)) throw error
  }
  const opened = openForReading(directory)
  opened.connection.exec(`PRAGMA query_only = OFF; ${DURABLE}; ${DO_NOT_WAIT}`)
  return opened
}

/**
 * Copies the database to a file, even while a server uses it, and checks the copy.
 * @returns the size of the copy in bytes
 * @throws DataDirectoryError; nothing is left of a failed copy
 */
export function backUp(directory: string, file: string): number {
  assertHasDatabase(directory)
  if (existsSync(file)) throw new DataDirectoryError(directory, `is not copied to ${file}: the file exists`)
  const partial = `${file}.partial`
  try {
    rmSync(partial, { force: true })
    makePrivate(partial)
    const { connection, close } = openForReading(directory)
    try {
      connection.exec('PRAGMA query_only = OFF')
      connection.prepare('VACUUM INTO ?').run(partial)
    } finally {
      close()
    }
    const copy = new Database(partial)
    try {
      assertWhole(copy, directory)
      assertSchema(copy, directory)
    } finally {
      copy.close()
    }
    flush(partial)
    renameSync(partial, file)
    flush(dirname(resolve(file)))
    return statSync(file).size
  } catch (cause) {
    rmSync(partial, { force: true })
    const code = Object(cause).code ?? 'error'
    throw new DataDirectoryError(directory, `could not be copied to ${file}: ${messageOf(cause)} (${code})`, {
      cause
    })
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** @throws DataDirectoryError if the directory has no database */
export function assertHasDatabase(directory: string): void {
  if (!stat(databaseFile(directory))?.size) throw new DataDirectoryError(directory, 'has no database')
}

const toVersion = mapper('pragma', '', { userVersion: Count })

/** @throws StoreCorruptError */
export const schemaVersion = (connection: Connection): number =>
  toVersion(Object(connection.prepare('PRAGMA user_version').get({}))).userVersion

function assertSchema(connection: Connection, directory: string): void {
  const version = schemaVersion(connection)
  if (version !== SCHEMA_VERSION) throw new DataDirectoryError(directory, otherSchema(version))
}

const inOneTransaction = (statements: string) =>
  `BEGIN IMMEDIATE; ${statements}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`

const CREATE = inOneTransaction(`${schema}; INSERT INTO wallet (address) VALUES ('')`)

const upgradeFrom = (version: number) => inOneTransaction(migrationsAfter(version))

/**
 * Detects a database that was placed next to another copy's log. SQLite would mix the two, and most queries would read
 * the mixture without an error. Must run before any data is moved between the two files. On failure, leave the
 * connection open: closing it would move data too.
 * @throws DataDirectoryError
 */
function assertWhole(connection: Connection, directory: string): void {
  try {
    // A value that violates a check constraint damages only its row, and is detected when the row is read.
    connection.exec('PRAGMA ignore_check_constraints = ON')
    const result: unknown = connection.prepare('PRAGMA integrity_check(1)').get({})
    connection.exec('PRAGMA ignore_check_constraints = OFF')
    if (Object(result).integrity_check === 'ok') return
  } catch {}
  const advice = 'do not restore it next to a submissions.db-wal from another time'
  throw new DataDirectoryError(directory, `has a damaged submissions.db: ${advice}`)
}

/** Moves the log into the database file, so that a copy of that file alone is complete. */
function foldLog(connection: Connection, onIncomplete: Incomplete = () => {}): void {
  // The next start reads both files.
  const incomplete = 'submissions.db is not complete without submissions.db-wal: copy both for a backup'
  try {
    connection.exec(WAIT)
    const result: unknown = connection.prepare(FOLD_LOG).get({})
    if (Object(result).busy !== 0) onIncomplete(`another program is using the database: ${incomplete}`)
  } catch (cause) {
    onIncomplete(`the disk is full or failing (${messageOf(cause)}): ${incomplete}`)
  }
}

function asDirectoryError(directory: string, cause: unknown): DataDirectoryError {
  if (cause instanceof DataDirectoryError) return cause
  return new DataDirectoryError(directory, `cannot be opened: ${messageOf(cause)}`, { cause })
}

/**
 * Creates a directory and its parents, like `mkdir -p`. Node's recursive mkdir hangs if a parent cannot contain
 * directories, as in /proc.
 */
function makeDirectory(directory: string): void {
  if (stat(directory)?.isDirectory()) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

/**
 * Creates a database file that only its owner can access, regardless of the umask, or removes the permissions of
 * others. Does not open an existing file, because closing it would release this process's locks on it.
 */
function makePrivate(database: string): void {
  if (!existsSync(database)) closeSync(openSync(database, 'a', OWNER_ONLY))
  for (const path of [database, logOf(database), `${database}-shm`]) {
    try {
      chmodSync(path, OWNER_ONLY)
    } catch {
      // There is no journal, the file system has no permissions, or the file belongs to another user.
    }
  }
}

function lockedDirectory(directory: string): { close(): void } {
  try {
    makeDirectory(resolve(directory))
    accessSync(directory, constants.W_OK)
  } catch (cause) {
    throw new DataDirectoryError(directory, 'is not a writable directory', { cause })
  }
  const path = join(directory, 'lock.db')
  try {
    makePrivate(path)
    return lockFile(path)
  } catch (cause) {
    const reason =
      cause instanceof FileLockedError
        ? 'is in use by another server: stop it first'
        : `cannot be locked: ${messageOf(cause)}`
    throw new DataDirectoryError(directory, reason, { cause })
  }
}
