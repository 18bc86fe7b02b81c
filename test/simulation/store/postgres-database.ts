import { LOCKS } from '../../../services/submission/store/postgres/connection.ts'
import type { DatabaseAddress } from '../../../services/submission/store/postgres/database-url.ts'
import { openPostgresStore } from '../../../services/submission/store/postgres/index.ts'
import { sql } from '../../../services/submission/store/sql.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { WALLET_ADDRESS } from '../service/wallet.ts'
import type { ReplicaStore, SharedDatabase } from './shared-database.ts'

/**
 * Opens a database on a real PostgreSQL server. Responses and notifications take real time, so the trace of a seed can
 * vary.
 * @param address the address of an empty database
 */
export async function createPostgresDatabase(
  address: DatabaseAddress,
  now: () => number
): Promise<SharedDatabase> {
  const options = { address, owner: WALLET_ADDRESS, log: keepingLog().log, now }
  const own = await openPostgresStore(options)
  const { database, wallet } = own
  const opened = [own]

  async function open(): Promise<ReplicaStore> {
    const store = await openPostgresStore(options)
    opened.push(store)
    /** Closes the connection of the replica that has the lock. */
    async function loseLock(): Promise<void> {
      await database.get(
        sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
          WHERE locktype = 'advisory' AND classid = ${LOCKS.lead} AND objid = ${wallet} AND granted`
      )
    }

    return { ...store, loseLock }
  }

  return {
    context: { database, wallet, now },
    open,
    copy() {
      throw new TypeError('store-set-back is not supported on PostgreSQL')
    },
    close: async () => void (await Promise.all(opened.map(store => store.close())))
  }
}
