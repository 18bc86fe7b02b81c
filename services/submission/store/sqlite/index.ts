import { EventEmitter } from 'node:events'
import { createStore, type Notifications } from '../index.ts'
import type { OpenForOperator } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import { assertHasDatabase, openDatabase, openForReading } from './database.ts'
import { createSqliteDatabase, WALLET } from './driver.ts'

/**
 * Opens the embedded store: one SQLite file in `directory`. This process can always lead.
 * @throws DataDirectoryError
 */
export function createSqliteStore(directory: string, now: () => number = Date.now, webhooks?: Webhooks) {
  const notifications: Notifications = new EventEmitter()
  const database = createSqliteDatabase(openDatabase(directory), notifications)
  const lock = async () => ({ isAlone: true as const, release: async () => {} })
  return createStore({ database, wallet: WALLET, now, lock, notifications, close: database.close }, webhooks)
}

/** The operator tool must not create a database. */
export const openSqliteForOperator =
  (directory: string): OpenForOperator =>
  async use => {
    assertHasDatabase(directory)
    const open = use === 'read' ? openForReading : openDatabase
    return { database: createSqliteDatabase(open(directory)), wallet: WALLET, now: Date.now }
  }
