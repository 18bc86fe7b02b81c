import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'libsql'
import { StoreUnavailableError } from '../errors.ts'
import { cell, count } from '../rows.ts'
import { migrations } from '../schema.ts'
import type { Row } from '../sql.ts'
import { isLocked, lockDirectory, makePrivate } from './files.ts'

export type Connection = Database.Database

/** An open database; `close` releases the data directory too. */
export interface OpenDatabase {
  connection: Connection
  close(): void
}

/** The files of each, with their inodes. */
const files = new WeakMap<Connection, Map<string, number | undefined>>()

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/**
 * What is written to a file that was deleted or replaced is lost at the next start.
 * @throws StoreUnavailableError
 */
export function assertInPlace(connection: Connection): void {
  for (const [path, inode] of files.get(connection) ?? []) {
    if (inodeOf(path) !== inode) {
      throw new StoreUnavailableError(`is not where it was: ${basename(path)} was deleted or replaced`)
    }
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
    const file = databaseFile(resolve(directory))
    makePrivate(file)
    const wasKilled = (statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0
    const connection = new Database(file)
    if (wasKilled) assertWhole(connection, directory)
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // What a process wrote that was killed, or whose flush failed, may not be on the disk yet.
    connection.exec(FOLD_LOG)
    const paths = [file, logOf(file)]
    files.set(connection, new Map(paths.map(path => [path, inodeOf(path)])))
    migrate(connection, directory)
    connection.exec(TERMS)
    return {
      connection,
      close() {
        foldLog(connection)
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
 * A database that was put beside the log of another copy is a mixture of both, which most queries read without a word. This
 * looks before anything is moved between them; closing the connection would move it.
 * @throws DataDirectoryError
 */
function assertWhole(connection: Connection, directory: string): void {
  if (isWhole(connection)) return
  const advice = 'a restored one must not have a submissions.db-wal of another time beside it'
  throw new DataDirectoryError(directory, `has a damaged submissions.db: ${advice}`)
}

function isWhole(connection: Connection): boolean {
  try {
    // A value that no statement could have written is damage of its row alone, which is found where the row is read.
    connection.exec('PRAGMA ignore_check_constraints = ON')
    const row = rowOf(connection, 'PRAGMA integrity_check(1)')
    connection.exec('PRAGMA ignore_check_constraints = OFF')
    return row['integrity_check'] === 'ok'
  } catch {
    return false
  }
}

/** Hides the table of the file: terms are this process's alone, and begin also while the disk fails. */
const TERMS = 'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE wallet AS SELECT * FROM main.wallet'

/** Moves what is only in the write-ahead log into the database, and flushes it. */
const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)'

/** So that a copy of this one file is whole. */
function foldLog(connection: Connection): void {
  try {
    connection.exec(FOLD_LOG)
  } catch {
    // The disk is full or fails. The log has it all, and the next start reads it.
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
  return new DataDirectoryError(directory, `cannot be opened: ${reasonOf(cause)}`, { cause })
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const databaseFile = (directory: string) => join(directory, 'submissions.db')
const logOf = (file: string) => `${file}-wal`

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
    if (isLocked(cause)) throw new DirectoryInUseError(directory, { cause })
    throw new DataDirectoryError(directory, `cannot be locked: ${reasonOf(cause)}`, { cause })
  }
}

function migrate(connection: Connection, directory: string): void {
  const applied = schemaVersion(connection)
  if (applied > migrations.length) throw newerVersion(directory, applied)
  if (applied === migrations.length) return
  const wallet = applied === 0 ? ["INSERT INTO wallet (address) VALUES ('')"] : []
  const steps = [...migrations.slice(applied), ...wallet, `PRAGMA user_version = ${migrations.length}`]
  connection.transaction(() => void connection.exec(steps.join(';')))()
}

const rowOf = (connection: Connection, pragma: string): Row => Object(connection.prepare(pragma).get({}))

const toVersion = cell('pragma', '', 'user_version', count)

/** @throws StoreCorruptError */
export const schemaVersion = (connection: Connection): number =>
  toVersion(rowOf(connection, 'PRAGMA user_version'))
