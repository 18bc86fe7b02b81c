import { join } from 'node:path'
import Database from 'libsql'

/**
 * Takes a data directory for this process alone, or throws. The operating system holds the lock, so that a process
 * that was killed leaves nothing behind. It is a database of its own because libsql gives a database's locks back
 * only when its last prepared statement is collected; this one never has any.
 */
export function lockDirectory(directory: string): { release(): void } {
  const lock = new Database(join(directory, 'lock.db'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw error
  }
  return { release: () => void lock.close() }
}
