import type { Logger } from '../../../logger.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { News } from '../types.ts'
import { type Dedicated, openDedicated, serverTime } from './connection.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { claimForServer } from './locks.ts'
import { channelOf, EVERYTHING, readNews } from './news.ts'
import { holdSchema } from './schema.ts'

const CHECK_MS = 5000

/** The pause between two attempts to connect again. */
const RETRY_MS = 1000

/** What a replica has at the database while it runs: the claim to its schema, the wallet's number, and the news. */
export interface Session {
  readonly wallet: number
  /** The time of the database's server, as of the newest connection. */
  now(): number
  close(): void
}

/**
 * Opens a connection for the news, and opens it again whenever it is lost.
 * @param options.onBroken called with the reason while the database must not be used, and with undefined afterwards
 */
export async function openSession(options: {
  address: DatabaseAddress
  /** The wallet's address. */
  owner: string
  version: number
  announce: (news: News) => void
  onBroken: (reason: DatabaseUnusableError | undefined) => void
  log: Logger
}): Promise<Session> {
  const { address, owner, version, announce, onBroken, log } = options
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let present: Dedicated | undefined
  let isBroken = false
  let now = Date.now

  /** @param known the wallet's number at the start */
  async function open(known?: number): Promise<number> {
    const dedicated = await openDedicated(address, { checkMs: CHECK_MS })
    const { client, ended, close } = dedicated
    try {
      await holdSchema(client, version)
      await client.query('INSERT INTO wallet (address) VALUES ($1) ON CONFLICT (address) DO NOTHING', [owner])
      const { rows } = await client.query<{ wallet: number }>(FIND_WALLET, [owner])
      const [row] = rows
      if (row === undefined) throw new TypeError('the wallet has no row')
      if (row.wallet !== (known ?? row.wallet)) {
        throw new DatabaseUnusableError('is another one than at the start')
      }
      await claimForServer(client, row.wallet)
      now = await serverTime(client)
      client.on('notification', ({ payload = '' }) => {
        const news = readNews(payload)
        if (news) announce(news)
      })
      await client.query(`LISTEN ${channelOf(row.wallet)}`)
      const [setting] = (await client.query<{ fsync: string }>('SHOW fsync')).rows
      if (setting?.fsync === 'off') {
        log.warn({}, 'fsync is off at the database: a machine that loses power loses accepted submissions')
      }
      if (ended.aborted || isClosed) throw new StoreUnavailableError('lost the connection')
      ended.addEventListener('abort', lost)
      present = dedicated
      return row.wallet
    } catch (error) {
      await close()
      throw asStoreError(error)
    }
  }

  function lost(): void {
    if (isClosed) return
    log.warn({}, 'the connection for news of the database was lost')
    retry = setTimeout(reopen, RETRY_MS)
  }

  async function reopen(): Promise<void> {
    try {
      await open(wallet)
      isBroken = false
      onBroken(undefined)
      log.info({}, 'the connection for news of the database is back')
      for (const news of EVERYTHING) announce(news)
    } catch (err) {
      if (err instanceof DatabaseUnusableError) {
        onBroken(err)
        if (!isBroken) log.error({ err }, 'the database must not be used any more')
        isBroken = true
      } else log.debug({ err }, 'the connection for news of the database could not be opened')
      if (!isClosed) retry = setTimeout(reopen, RETRY_MS)
    }
  }

  const wallet = await open()
  return {
    wallet,
    now: () => now(),
    close() {
      isClosed = true
      clearTimeout(retry)
      void present?.close()
    }
  }
}

const FIND_WALLET = 'SELECT wallet_id AS wallet FROM wallet WHERE address = $1'
