import type { ClientBase } from 'pg'
import { StoreUnavailableError } from '../../errors.ts'
import { obsolete, migrations as shared } from '../schema.ts'
import { LOCKS, openDedicated, tryLock } from './connection.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'

const POSTGRES: readonly [sqlite: RegExp, postgres: string][] = [
  [/INTEGER PRIMARY KEY AUTOINCREMENT/g, 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/INTEGER/g, 'BIGINT'],
  [/BLOB/g, 'BYTEA'],
  [/BINARY/g, '"C"'],
  [/\) STRICT/g, ')']
]

export const migrations: readonly string[] = shared.map(step =>
  POSTGRES.reduce((text, [from, to]) => text.replace(from, to), step)
)

/**
 * Upgrades the schema to this version. Of several replicas that start together, one upgrades it and the others wait.
 * @throws DatabaseUnusableError if the schema is newer, or too old to be upgraded
 * @throws StoreUnavailableError while replicas with an older version use the schema
 */
export async function migrateSchema(address: DatabaseAddress, migrations: readonly string[]): Promise<void> {
  const { client, close } = await openDedicated(address, 'task')
  try {
    await client.query('SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1, 0)', [LOCKS.migrate])
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const applied = await knownVersion(client, migrations.length)
    if (applied === migrations.length) return
    // Waiting for the lock would block new connections from older replicas.
    if (!(await tryLock(client, 'use', 0, 'alone'))) {
      throw new StoreUnavailableError(
        `has schema ${applied}, and replicas of that version still use it: stop all of them, then start this version, ` +
          `which upgrades it to schema ${migrations.length}`
      )
    }
    await client.query('BEGIN')
    for (const migration of migrations.slice(applied)) await client.query(migration)
    await client.query('DELETE FROM schema_version')
    await client.query('INSERT INTO schema_version VALUES ($1)', [migrations.length])
    await client.query('COMMIT')
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await close()
  }
}

/**
 * Locks the schema against changes until the connection ends. Every connection of the store starts with this lock, so
 * that none uses a schema that changed while the replica was disconnected.
 * @throws DatabaseUnusableError, StoreUnavailableError if the schema has a different version
 */
export async function lockSchema(client: ClientBase, version: number): Promise<void> {
  // The two statements are sent together and run in this order.
  const locked = client.query('SELECT pg_advisory_lock_shared($1, 0)', [LOCKS.use])
  const [applied] = await Promise.all([knownVersion(client, version), locked])
  if (applied < version) throw new StoreUnavailableError(`has schema ${applied}; expected schema ${version}`)
}

/** @throws DatabaseUnusableError if the schema is newer than `version`, or too old to be upgraded */
async function knownVersion(client: ClientBase, version: number): Promise<number> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  const applied = rows[0]?.version ?? 0
  const problem = obsolete(applied)
  if (problem !== undefined) throw new DatabaseUnusableError(problem)
  if (applied <= version) return applied
  throw new DatabaseUnusableError(
    `was written by a newer version (schema ${applied}): start that version; this version supports schema ${version}`
  )
}
