import { EventEmitter } from 'node:events'
import type { ClientBase } from 'pg'
import type { Logger } from '../../../logger.ts'
import { StoreUnavailableError } from '../../errors.ts'
import { createStore, type Notifications } from '../index.ts'
import type { OpenForOperator } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import { LOCKS, openDedicated, serverTime, tryLock } from './connection.ts'
import { createDatabase } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { lockSchema, migrateSchema, migrations as ownMigrations } from './schema.ts'
import { findWallet, openSession } from './session.ts'

const START_MS = 30_000

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
  const { address, owner, log, startMs = START_MS, migrations = ownMigrations, webhooks } = options
  const notifications: Notifications = new EventEmitter()
  const version = migrations.length
  const database = createDatabase(address, version)

  async function open() {
    await migrateSchema(address, migrations)
    return openSession({ address, owner, version, notifications, onUnusable: database.refuse, log })
  }

  const session = await patiently(open, startMs, log)
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
    database,
    wallet,
    close: (): Promise<void> => (closed ??= store.close())
  }
}

/** Retries while the database is unreachable, because it might still be starting. */
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

/** @param owner returns the wallet's address */
export const openPostgresForOperator =
  (address: DatabaseAddress, owner: () => Promise<string>): OpenForOperator =>
  async use => {
    const isAlone = use === 'own'
    // The lock of a session keeps servers from starting until the session is closed.
    const { client, ended, close } = await openDedicated(address, isAlone ? 'session' : 'task')
    try {
      await assertHasStore(client)
      if (isAlone) await migrateSchema(address, ownMigrations)
      await lockSchema(client, ownMigrations.length)
      const account = await owner()
      const wallet = await findWallet(client, account)
      if (wallet === undefined) throw new DatabaseUnusableError(`has no data for the wallet ${account}`)
      if (isAlone) await claimAlone(client, wallet)
      const now = await serverTime(client)
      const database = createDatabase(address, ownMigrations.length, 'operator')
      const closeBoth = async () => {
        await database.close()
        await close()
      }
      return { database: { ...database, close: closeBoth }, wallet, now, lost: ended }
    } catch (error) {
      await close()
      throw asStoreError(error)
    }
  }

/** Claims a wallet exclusively until the connection ends. @throws DatabaseUnusableError with the number of servers */
async function claimAlone(client: ClientBase, wallet: number): Promise<void> {
  if (await tryLock(client, 'serve', wallet, 'alone')) return
  const [row] = (await client.query<{ servers: number }>(COUNT_SERVERS, [LOCKS.serve, wallet])).rows
  const servers = row?.servers ?? 0
  throw new DatabaseUnusableError(
    servers === 0
      ? 'is in use by another operator command: wait until it has finished'
      : `is in use by ${servers} server${servers === 1 ? '' : 's'}: stop ${servers === 1 ? 'it' : 'them'} first`
  )
}

/** The operator tool never creates a store. @throws DatabaseUnusableError */
async function assertHasStore(client: ClientBase): Promise<void> {
  const [row] = (await client.query<{ exists: boolean }>(HAS_SCHEMA)).rows
  if (!row?.exists)
    throw new DatabaseUnusableError('contains no store: check the URL, or start a server to create one')
}

const HAS_SCHEMA = "SELECT to_regclass('schema_version') IS NOT NULL AS exists"
const COUNT_SERVERS = `SELECT count(*) AS servers FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND mode = 'ShareLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = $1 AND objid = $2`
