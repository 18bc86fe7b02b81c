import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'libsql'

/** Another process, or another part of this one, has the lock. */
export class FileLockedError extends Error {
  override name = 'FileLockedError'
}

/**
 * Locks a file that exists for this alone and is created where it is missing. The operating system has the lock, so a killed
 * process leaves none behind. The file is a database because Node cannot lock files, and no statement is ever prepared on it:
 * libsql releases the locks of a database only when its last statement is collected. Its journal is in memory, so nothing is written.
 * @throws FileLockedError at once when it is locked
 */
export function lockFile(path: string): { close(): void } {
  // One that exists is not opened: closing it would release a lock that this process has on it.
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
