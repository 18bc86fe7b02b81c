import type { ClientBase } from 'pg'
import { parseJson } from '../../../json.ts'
import type { Logger } from '../../../logger.ts'
import type { Notification } from '../../contract.ts'
import { StoreUnavailableError } from '../../errors.ts'
import type { LeaderLock, Notifications } from '../index.ts'
import {
  type DatabaseAddress,
  type DedicatedConnection,
  LOCKS,
  openDedicated,
  serverTime,
  tryLock
} from './connection.ts'
import { channelOf } from './database.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { advanceIdentities } from './identity-sequences.ts'
import { assertSchema, prepareSchema } from './schema.ts'

const RETRY_MS = 1000

/** Emitted after a reconnect in place of notifications that might have been missed. */
const EVERYTHING: readonly Notification[] = [{ kind: 'queued' }, { kind: 'settled' }]

/**
 * Opens the session of a replica: a connection that claims the wallet for a server, receives notifications and can take
 * the leader lock. Reconnects whenever the connection is lost.
 * @param options.onUnusable called with the reason when the database must not be used, and with undefined once it can
 *   be used again
 */
export async function openSession(options: {
  address: DatabaseAddress
  /** The wallet's address. */
  owner: string
  notifications: Notifications
  onUnusable: (reason: DatabaseUnusableError | undefined) => void
  log: Logger
  ended: AbortSignal | undefined
}) {
  const { address, owner, notifications, onUnusable, log, ended: stopped } = options
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let current: DedicatedConnection | undefined
  /** The reason why there is no connection. */
  let failure: unknown
  let now = Date.now

  /** @param known the wallet's number at startup; undefined on the first call */
  async function open(known?: number): Promise<number> {
    if (known === undefined) await prepareSchema(address, log, stopped)
    const dedicated = await openDedicated(address, 'session', stopped)
    const { client, ended, close } = dedicated
    try {
      await assertSchema(client)
      await advanceIdentities(client, log)
      await client.query('INSERT INTO wallet (address) VALUES ($1) ON CONFLICT (address) DO NOTHING', [owner])
      const wallet = await findWallet(client, owner)
      if (wallet === undefined || wallet !== (known ?? wallet))
        throw new DatabaseUnusableError(
          'was replaced: the number of this wallet in it differs from the number at startup'
        )
      if (!(await tryLock(client, 'serve', wallet, 'shared'))) {
        throw new DatabaseUnusableError(
          'is in use by the operator tool: start the server once the tool has exited'
        )
      }
      now = await serverTime(client)
      client.on('notification', ({ payload = '' }) =>
        notifications.emit('notification', Object(parseJson(payload)))
      )
      await client.query(`LISTEN ${channelOf(wallet)}`)
      const [setting] = (await client.query<{ fsync: string }>('SHOW fsync')).rows
      if (setting?.fsync === 'off') {
        log.warn({}, 'fsync is off on the database server: a power failure can lose accepted submissions')
      }
      if (ended.aborted || isClosed) throw new StoreUnavailableError('lost the notification connection')
      ended.addEventListener('abort', lost)
      current = dedicated
      return wallet
    } catch (error) {
      await close()
      throw asStoreError(error)
    }
  }

  function lost(): void {
    current = undefined
    failure = new StoreUnavailableError('lost the notification connection')
    if (isClosed) return
    log.warn({}, 'lost the database notification connection')
    retry = setTimeout(reopen, RETRY_MS)
  }

  async function reopen(): Promise<void> {
    try {
      await open(wallet)
      onUnusable(undefined)
      log.info({}, 'reconnected to the database; notifications resumed')
      for (const notification of EVERYTHING) notifications.emit('notification', notification)
    } catch (err) {
      if (err instanceof DatabaseUnusableError) {
        onUnusable(err)
        if (!(failure instanceof DatabaseUnusableError)) log.error({ err }, 'stopped using the database')
      } else log.debug({ err }, 'could not reconnect to the database for notifications')
      failure = err
      if (!isClosed) retry = setTimeout(reopen, RETRY_MS)
    }
  }

  /** Acquires the leader lock until the connection ends. @returns undefined while another replica has it */
  async function lock(): Promise<LeaderLock | undefined> {
    if (current === undefined) throw failure
    const { client, ended, close } = current
    try {
      if (!(await tryLock(client, 'lead', wallet, 'alone'))) return undefined
    } catch (error) {
      await close()
      throw asStoreError(error)
    }
    return {
      lost: ended,
      async release() {
        if (ended.aborted) return
        await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.lead, wallet]).catch(close)
      }
    }
  }

  const wallet = await open()
  return {
    wallet,
    /** The database server's clock, as read on the newest connection. */
    now: () => now(),
    lock,
    async close() {
      isClosed = true
      clearTimeout(retry)
      await current?.close()
    }
  }
}

export async function findWallet(client: ClientBase, owner: string): Promise<number | undefined> {
  const find = 'SELECT wallet_id AS wallet FROM wallet WHERE address = $1'
  return (await client.query<{ wallet: number }>(find, [owner])).rows[0]?.wallet
}
