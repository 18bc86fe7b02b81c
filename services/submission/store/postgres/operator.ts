import type { ClientBase } from 'pg'
import { createOperatorAccess } from '../operator.ts'
import type { Webhooks } from '../outbox.ts'
import { openDedicated, serverTime } from './connection.ts'
import { createDatabase } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { LOCKS, tryLock } from './locks.ts'
import { lockSchema, migrateSchema, migrations } from './schema.ts'
import { findWallet } from './session.ts'

/**
 * Gives the operator tool access to a wallet's store in a database.
 * @param options.owner the wallet's address
 * @param options.webhooks as for the server
 */
export function postgresForOperator(options: {
  address: DatabaseAddress
  owner: () => Promise<string>
  webhooks?: Webhooks | undefined
}) {
  const { address, owner, webhooks } = options

  /** @param isAlone whether to keep servers from running until the store is closed */
  async function open(isAlone: boolean) {
    const { client, ended, close } = await openDedicated(address, isAlone ? 'session' : 'task')
    try {
      await assertHasStore(client)
      if (isAlone) await migrateSchema(address, migrations)
      await lockSchema(client, migrations.length)
      const account = await owner()
      const wallet = await findWallet(client, account)
      if (wallet === undefined) throw new DatabaseUnusableError(`has no data of the wallet ${account}`)
      if (isAlone) await claimAlone(client, wallet)
      const now = await serverTime(client)
      const database = createDatabase(address, migrations.length, 'operator')
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

  return createOperatorAccess({ webhooks, open: use => open(use === 'own') })
}

/**
 * Claims a wallet exclusively until the connection ends.
 * @throws DatabaseUnusableError with the number of running servers
 */
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

/** Checks that the database has a store, because the tool never creates one. @throws DatabaseUnusableError */
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
