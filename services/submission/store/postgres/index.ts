import { EventEmitter, setMaxListeners } from 'node:events'
import type { Logger } from '../../../logger.ts'
import { StoreUnavailableError } from '../../errors.ts'
import { createStore, type Notifications } from '../index.ts'
import type { OpenForOperator } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import { type DatabaseAddress, openDedicated, serverTime, tryLock } from './connection.ts'
import { createDatabase } from './database.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { assertSchema } from './schema.ts'
import { findWallet, openSession } from './session.ts'

const START_MS = 30_000

const RETRY_MS = 1000

/**
 * Opens the store in a PostgreSQL database, which any number of replicas and wallets may share.
 * @param options.owner the wallet's address
 * @param options.ended ends all calls and connections, even if the database does not respond
 * @throws DatabaseUnusableError
 */
export async function openPostgresStore(options: {
  address: DatabaseAddress
  owner: string
  log: Logger
  now?: () => number
  startMs?: number
  webhooks?: Webhooks | undefined
  ended?: AbortSignal
}) {
  const { address, owner, log, startMs = START_MS, webhooks, ended } = options
  const notifications: Notifications = new EventEmitter()
  // Each connection adds a listener.
  if (ended) setMaxListeners(0, ended)
  const database = createDatabase(address, 'server', ended)
  const open = () => openSession({ address, owner, notifications, onUnusable: database.refuse, log, ended })
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

export const openPostgresForOperator =
  (address: DatabaseAddress, owner: () => Promise<string>): OpenForOperator =>
  async use => {
    const isAlone = use === 'own'
    // The lock of a session keeps servers from starting until the session is closed.
    const { client, ended, close } = await openDedicated(address, isAlone ? 'session' : 'task')
    try {
      await assertSchema(client)
      const account = await owner()
      const wallet = await findWallet(client, account)
      if (wallet === undefined) throw new DatabaseUnusableError(`has no data for the wallet ${account}`)
      if (isAlone && !(await tryLock(client, 'serve', wallet, 'alone')))
        throw new DatabaseUnusableError('is in use by a server or another operator command: stop it first')
      const now = await serverTime(client)
      const database = createDatabase(address, 'operator')
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
