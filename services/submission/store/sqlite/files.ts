import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Creates a database's file for its owner alone, whatever the umask of the process, or takes the others' permissions away.
 * One that exists is not opened: closing it would release the locks that this process has on it.
 * SQLite gives its journals, `-wal` and `-shm`, the mode of the database; those of an earlier version may have another.
 */
export function makePrivate(database: string): void {
  if (!existsSync(database)) closeSync(openSync(database, 'a', OWNER_ONLY))
  for (const path of [database, `${database}-wal`, `${database}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & OTHERS) !== 0) restrict(path)
  }
}

/** Some file systems have no permissions, and of a mounted volume another user may own the files. */
function restrict(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {}
}

/**
 * Locks a data directory for this process, or throws. The operating system holds the lock, so a killed process leaves
 * none behind. The lock is a database of its own because libsql releases the locks of a database only when its last
 * prepared statement is collected; this one never has a statement.
 */
export function lockDirectory(directory: string): { release(): void } {
  const path = join(directory, 'lock.db')
  makePrivate(path)
  const lock = new Database(path)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw error
  }
  return { release: () => void lock.close() }
}

/** Whether this error of `lockDirectory` says that a process has the lock. */
export const isLocked = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
