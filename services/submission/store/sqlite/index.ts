import { EventEmitter } from 'node:events'
import { createStore, type Notifications } from '../index.ts'
import { createOperatorAccess } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import type { Home } from '../sql.ts'
import { assertHoldsDatabase, openDatabase, openForReading } from './database.ts'
import { createSqliteDatabase, WALLET } from './driver.ts'

/**
 * The embedded store: one SQLite file in `directory`, owned by this process, which can always lead.
 * @throws DataDirectoryError
 */
export function createSqliteStore(directory: string, now: () => number = Date.now, webhooks?: Webhooks) {
  const notifications: Notifications = new EventEmitter()
  const database = createSqliteDatabase(openDatabase(directory), notifications)
  const lock = async () => ({ isAlone: true as const, release: async () => {} })
  return createStore({ database, wallet: WALLET, now, lock, notifications, close: database.close }, webhooks)
}

/**
 * The embedded store in a directory, for the operator's tool.
 * @param options.webhooks as for the server
 */
export function sqliteForOperator(directory: string, { webhooks }: { webhooks?: Webhooks | undefined }) {
  const homeOf = (open: typeof openDatabase): Home => {
    return { database: createSqliteDatabase(open(directory)), wallet: WALLET, now: Date.now }
  }
  async function open(): Promise<Home> {
    // Without a database there is nothing to change, and none must be created.
    assertHoldsDatabase(directory)
    return homeOf(openDatabase)
  }
  return createOperatorAccess({
    webhooks,
    openToRead: async () => homeOf(openForReading),
    open,
    openAlone: open
  })
}
