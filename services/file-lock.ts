import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'libsql'

/** Another process, or another part of this one, has the lock. */
export class FileLockedError extends Error {
  override name = 'FileLockedError'
}

/**
 * Locks a lock file, which is created if missing. The operating system releases the lock of a killed process. Node
 * cannot lock files, so the file is a database. libsql releases a database's locks only when its last statement is
 * garbage-collected, so this function prepares no statement.
 * @throws FileLockedError
 */
export function lockFile(path: string): { close(): void } {
  // Do not open an existing file: closing it would release a lock that this process already has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const lock = new Database(path)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    if (Object(cause).code !== 'SQLITE_BUSY') throw cause
    throw new FileLockedError(`${path} is locked`, { cause })
  }
}
