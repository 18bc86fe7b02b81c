import type { ClientBase } from 'pg'
import { StoreUnavailableError } from '../errors.ts'
import { migrations as shared } from '../schema.ts'
import { openDedicated } from './connection.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { LOCKS, tryLock } from './locks.ts'

const POSTGRES: readonly [sqlite: RegExp, postgres: string][] = [
  [/INTEGER PRIMARY KEY AUTOINCREMENT/g, 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/INTEGER/g, 'BIGINT'],
  [/BLOB/g, 'BYTEA'],
  [/BINARY/g, '"C"'],
  [/\) STRICT/g, ')']
]

/** What only replicas share. A crash of the server may empty it. */
const QUOTES = `
  CREATE UNLOGGED TABLE quote (
    wallet_id  BIGINT NOT NULL,
    fee_id     TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    quote      TEXT   NOT NULL,
    PRIMARY KEY (wallet_id, fee_id)
  );
  CREATE INDEX quote_expired ON quote (wallet_id, expires_at);
`

const toPostgres = (step: string) => POSTGRES.reduce((text, [from, to]) => text.replace(from, to), step)

/** The schema of the database, one step per version. */
export const migrations: readonly string[] = shared.map((step, index) =>
  index === 0 ? toPostgres(step) + QUOTES : toPostgres(step)
)

/**
 * Brings the schema to this version. Several replicas may do so at once: one of them changes it, the others wait.
 * @throws DatabaseUnusableError when the schema is newer
 * @throws StoreUnavailableError while replicas of an older version use it
 */
export async function migrateSchema(address: DatabaseAddress, migrations: readonly string[]): Promise<void> {
  const { client, close } = await openDedicated(address, 'visit')
  try {
    await client.query('SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1, 0)', [LOCKS.migrate])
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const applied = await knownVersion(client, migrations.length)
    if (applied === migrations.length) return
    // Waiting for the lock would make new connections of the older replicas wait too.
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
 * Keeps the schema as it is for as long as the connection lasts. Every connection of the store begins with it, so none is used
 * on a schema that changed while a replica was cut off.
 * @throws DatabaseUnusableError, StoreUnavailableError when it is not this version's
 */
export async function holdSchema(client: ClientBase, version: number): Promise<void> {
  // Sent together, and run in this order.
  const locked = client.query('SELECT pg_advisory_lock_shared($1, 0)', [LOCKS.use])
  const [applied] = await Promise.all([knownVersion(client, version), locked])
  if (applied < version) throw new StoreUnavailableError(`has schema ${applied}; expected schema ${version}`)
}

/** @throws DatabaseUnusableError when the schema is newer than this version */
async function knownVersion(client: ClientBase, version: number): Promise<number> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  const applied = rows[0]?.version ?? 0
  if (applied <= version) return applied
  throw new DatabaseUnusableError(
    `was written by a newer version (schema ${applied}): start that version; this one knows schema ${version}`
  )
}
