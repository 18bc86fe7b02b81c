import type { ClientBase } from 'pg'
import { otherSchema, SCHEMA_VERSION, schema as shared } from '../schema.ts'
import { LOCKS } from './connection.ts'
import { DatabaseUnusableError } from './errors.ts'

const POSTGRES: readonly [sqlite: RegExp, postgres: string][] = [
  [/INTEGER PRIMARY KEY AUTOINCREMENT/g, 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/INTEGER/g, 'BIGINT'],
  [/BLOB/g, 'BYTEA'],
  [/BINARY/g, '"C"'],
  [/\) STRICT/g, ')']
]

export const schema = POSTGRES.reduce((text, [from, to]) => text.replace(from, to), shared)

/** The tables, without `schema_version`. */
export const TABLES = [...shared.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name)

/** Creates the tables in an empty database. Of several replicas that start together, one creates them. */
export async function createSchema(client: ClientBase): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS.create])
  if ((await schemaVersion(client)) === undefined) {
    await client.query(`${schema}; CREATE TABLE schema_version (version INTEGER NOT NULL)`)
    await client.query('INSERT INTO schema_version VALUES ($1)', [SCHEMA_VERSION])
  }
  await client.query('COMMIT')
}

/** @throws DatabaseUnusableError if the database has no store, or one with another schema */
export async function assertSchema(client: ClientBase): Promise<void> {
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
