import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { StoreUnavailableError } from '../errors.ts'
import { migrations as shared } from '../schema.ts'
import { openDedicated } from './connection.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { LOCKS } from './locks.ts'

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

/** How long an upgrade waits for replicas of the older version that are stopping, and how often it looks, in milliseconds. */
const UPGRADE_WAIT_MS = 10_000
const LOOK_MS = 200

/**
 * Brings the schema to this version. Several replicas may do so at once: one of them changes it, the others wait.
 * @throws DatabaseUnusableError when the schema is newer, or older while replicas of that version run
 */
export async function migrateSchema(address: DatabaseAddress, migrations: readonly string[]): Promise<void> {
  const { client, close } = await openDedicated(address, { checkMs: 0 })
  try {
    await client.query('SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1, 0)', [LOCKS.migrate])
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const applied = await schemaVersion(client)
    if (applied > migrations.length) throw newerVersion(applied, migrations.length)
    if (applied === migrations.length) return
    await waitForOlderReplicas(client, applied, migrations.length)
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
 * @throws DatabaseUnusableError when it is not this version's
 */
export async function holdSchema(client: ClientBase, version: number): Promise<void> {
  // Sent together, and run in this order.
  const locked = client.query('SELECT pg_advisory_lock_shared($1, 0)', [LOCKS.use])
  const [applied] = await Promise.all([schemaVersion(client), locked])
  if (applied > version) throw newerVersion(applied, version)
  if (applied < version) throw new StoreUnavailableError(`has schema ${applied}; expected schema ${version}`)
}

/** Does not wait in the queue of the lock, where new connections of the older replicas would wait behind it. */
async function waitForOlderReplicas(client: ClientBase, applied: number, version: number): Promise<void> {
  const end = performance.now() + UPGRADE_WAIT_MS
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK, [LOCKS.use])
    if (rows[0]?.locked) return
    if (performance.now() >= end) {
      throw new DatabaseUnusableError(
        `has schema ${applied}, and replicas of that version still use it: stop all of them, then start this version, ` +
          `which upgrades it to schema ${version}`
      )
    }
    await delay(LOOK_MS)
  }
}

async function schemaVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  return rows[0]?.version ?? 0
}

function newerVersion(applied: number, version: number): DatabaseUnusableError {
  return new DatabaseUnusableError(
    `was written by a newer version (schema ${applied}): start that version; this one knows schema ${version}`
  )
}

const TRY_LOCK = 'SELECT pg_try_advisory_lock($1, 0) AS locked'
