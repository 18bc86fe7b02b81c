import { EventEmitter } from 'node:events'
import type { Logger } from '../../../logger.ts'
import { StoreUnavailableError } from '../errors.ts'
import { createStore, type Notifications } from '../index.ts'
import type { Webhooks } from '../outbox.ts'
import { createDatabase } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { DatabaseUnusableError } from './errors.ts'
import { createQuoteTable } from './quote-table.ts'
import { migrations as allMigrations, migrateSchema } from './schema.ts'
import { openSession } from './session.ts'

/** How long startup waits for an unreachable database. */
const START_MS = 30_000

/** The pause between attempts to reach the database. */
const RETRY_MS = 1000

/**
 * Opens the store in a PostgreSQL database, which any number of replicas and wallets may share.
 * @param options.owner the wallet's address
 * @throws DatabaseUnusableError
 */
export async function openPostgresStore(options: {
  address: DatabaseAddress
  owner: string
  log: Logger
  now?: () => number
  startMs?: number
  migrations?: readonly string[]
  webhooks?: Webhooks | undefined
}) {
  const { address, owner, log, startMs = START_MS, migrations = allMigrations, webhooks } = options
  const notifications: Notifications = new EventEmitter()
  const version = migrations.length
  const database = createDatabase(address, version)

  async function open() {
    await migrateSchema(address, migrations)
    return openSession({ address, owner, version, notifications, onUnusable: database.refuse, log })
  }

  const session = await patiently(open, startMs, log).catch(async error => {
    await database.close()
    throw error
  })
  const { wallet, lock } = session
  const { now = session.now } = options
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await session.close()
    await database.close()
  }

  const store = createStore({ database, wallet, now, lock, notifications, close }, webhooks)
  return {
    ...store,
    /** The store's database, and the wallet's number in it. */
    database,
    wallet,
    quotes: createQuoteTable(database, wallet),
    close: (): Promise<void> => (closed ??= store.close())
  }
}

/** Retries while the database is unreachable, because it may still be starting. */
async function patiently<T>(attempt: () => Promise<T>, forMs: number, log: Logger): Promise<T> {
  const end = performance.now() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof StoreUnavailableError) || err instanceof DatabaseUnusableError) throw err
      if (performance.now() >= end) {
        throw new DatabaseUnusableError(err.message.replace(/^the database /, ''), { cause: err })
      }
      log.warn({ err }, 'waiting for the database')
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}
