import type { ClientBase } from 'pg'
import type { Logger } from '../../../logger.ts'
import { isUpgradable, migrationsAfter, otherSchema, SCHEMA_VERSION, schema as shared } from '../schema.ts'
import { type DatabaseAddress, LOCKS, openDedicated } from './connection.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'

const POSTGRES: readonly [sqlite: RegExp, postgres: string][] = [
  [/INTEGER PRIMARY KEY AUTOINCREMENT/g, 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/INTEGER/g, 'BIGINT'],
  [/BLOB/g, 'BYTEA'],
  [/BINARY/g, '"C"'],
  [/\) STRICT/g, ')']
]

export const inPostgres = (statements: string) =>
  POSTGRES.reduce((text, [from, to]) => text.replace(from, to), statements)

const schema = inPostgres(shared)

/** The tables, without `schema_version`. */
export const TABLES = [...shared.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name)

/**
 * Creates the tables in an empty database, or upgrades them. Of several replicas that start together, one does. An
 * upgrade ends the connections of all other servers: an older one is refused when it connects again, and the leader has
 * lost its lock.
 * @throws StoreUnavailableError
 */
export async function prepareSchema(
  address: DatabaseAddress,
  log: Pick<Logger, 'warn'>,
  stopped?: AbortSignal
): Promise<void> {
  const { client, close } = await openDedicated(address, 'task', stopped)
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS.create])
    const version = await schemaVersion(client)
    if (version === undefined) {
      await client.query(`${schema}; CREATE TABLE schema_version (version INTEGER NOT NULL)`)
      await client.query('INSERT INTO schema_version VALUES ($1)', [SCHEMA_VERSION])
    } else if (isUpgradable(version)) {
      await client.query(END_OTHERS, [LOCKS.use])
      await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS.use])
      await client.query(inPostgres(migrationsAfter(version)))
      await client.query('UPDATE schema_version SET version = $1', [SCHEMA_VERSION])
    }
    await client.query('COMMIT')
    if (version !== undefined && isUpgradable(version))
      log.warn({ from: version, to: SCHEMA_VERSION }, 'upgraded the schema: older servers cannot use it')
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await close()
  }
}

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND classid = $1 AND objid = 0 AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/**
 * Keeps others from changing the schema while this connection is open.
 * @throws DatabaseUnusableError if the database has no store, or one with another schema
 */
export async function assertSchema(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1, 0)', [LOCKS.use])
  const version = await schemaVersion(client)
  if (version === SCHEMA_VERSION) return
  throw new DatabaseUnusableError(
    version === undefined
      ? 'contains no store: check the URL, or start a server to create one'
      : otherSchema(version)
  )
}

/** Returns undefined if the database has no store. */
async function schemaVersion(client: ClientBase): Promise<number | undefined> {
  if (!(await hasSchema(client))) return undefined
  return (await client.query<{ version: number }>('SELECT version FROM schema_version')).rows[0]?.version ?? 0
}

export async function hasSchema(client: ClientBase): Promise<boolean> {
  return (await client.query<{ exists: boolean }>(HAS_SCHEMA)).rows[0]?.exists === true
}

const HAS_SCHEMA = "SELECT to_regclass('schema_version') IS NOT NULL AS exists"
