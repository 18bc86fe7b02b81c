import { systemClock } from '../../../clock.ts'
import { type DatabaseAddress, openDedicated, serverTime } from './connection.ts'
import { identitiesBehind } from './identity-sequences.ts'
import { assertSchema, hasSchema, TABLES } from './schema.ts'

const list = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ')

const MISSING_RIGHTS = `SELECT name || ' ' || privilege AS missing
  FROM unnest(ARRAY[${list(TABLES)}]) AS name,
    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
  WHERE NOT has_table_privilege(name, privilege)`

/** The database may not respond at all. */
const MAX_MS = 7000

/** The state of the database as a server would find it, read without changing anything. */
export interface DatabaseState {
  hasStore: boolean
  /** Rights that the user lacks, such as `submission UPDATE`. */
  missingRights: string[]
  /** The tables whose identity sequence is behind. */
  tablesBehind: string[]
  hasFsync: boolean
  /** How far the database's clock is ahead of this machine's, in milliseconds. */
  clockAheadMs: number
}

/** @throws StoreUnavailableError, DatabaseUnusableError */
export async function inspectDatabase(address: DatabaseAddress): Promise<DatabaseState> {
  const { client, close } = await openDedicated(address, 'session', AbortSignal.timeout(MAX_MS))
  try {
    const now = await serverTime(client)
    const clockAheadMs = now() - systemClock.now()
    const [setting] = (await client.query<{ fsync: string }>('SHOW fsync')).rows
    const common = { hasFsync: setting?.fsync !== 'off', clockAheadMs }
    if (!(await hasSchema(client))) {
      const may = "SELECT has_schema_privilege(current_schema(), 'CREATE') AS may"
      const [right] = (await client.query<{ may: boolean | null }>(may)).rows
      return { ...common, hasStore: false, missingRights: right?.may ? [] : ['CREATE'], tablesBehind: [] }
    }
    await assertSchema(client)
    const rights = (await client.query<{ missing: string }>(MISSING_RIGHTS)).rows
    const missingRights = rights.map(({ missing }) => missing)
    const behind = missingRights.length > 0 ? [] : await identitiesBehind(client)
    return { ...common, hasStore: true, missingRights, tablesBehind: behind.map(({ table }) => table) }
  } finally {
    await close()
  }
}
