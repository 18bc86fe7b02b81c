import { join } from 'node:path'
import Database from 'libsql'

/**
 * Locks a data directory for this process, or throws. The operating system holds the lock, so a killed process leaves
 * none behind. The lock is a database of its own because libsql releases the locks of a database only when its last
 * prepared statement is collected; this one never has a statement.
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
