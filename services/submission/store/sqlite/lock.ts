import { join } from 'node:path'
import Database from 'libsql'
import { makePrivate } from './private-file.ts'

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
