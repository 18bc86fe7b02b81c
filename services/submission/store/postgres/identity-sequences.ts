import type { ClientBase } from 'pg'
import type { Logger } from '../../../logger.ts'
import { schema } from '../schema.ts'
import { DatabaseUnusableError } from './errors.ts'

const IDENTITIES = [...schema.matchAll(/CREATE TABLE (\w+) \(\s+(\w+)\s+INTEGER PRIMARY KEY AUTOINCREMENT/g)]

interface IdentityState {
  table: string
  column: string
  /** Null if the copy of the table has no identity column. */
  sequence: string | null
}

// The snapshot with the newest row is older than the reading of the sequence, so a concurrent insert changes nothing.
const BEHIND = IDENTITIES.map(
  ([, table, column]) => `SELECT * FROM (SELECT '${table}' AS table, '${column}' AS column,
      pg_get_serial_sequence('${table}', '${column}') AS sequence,
      (SELECT max(${column}) FROM ${table}) AS newest) AS ${table}_identity
    WHERE sequence IS NULL OR coalesce(pg_sequence_last_value(sequence::regclass), 0) < newest`
).join(' UNION ALL ')

/** Returns the tables whose identity sequence is missing or behind the newest row. */
export async function identitiesBehind(client: ClientBase): Promise<IdentityState[]> {
  return (await client.query<IdentityState>(BEHIND)).rows
}

/**
 * Sets the identity sequences to the newest rows: after a switch to a logical replica, or after a copy of the data
 * alone, they start at 1, and every insert would fail. Servers may be inserting meanwhile.
 * @throws DatabaseUnusableError if a column is not an identity column, or a sequence cannot be set
 */
export async function advanceIdentities(client: ClientBase, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const { table, column, sequence } of await identitiesBehind(client)) {
    if (sequence === null)
      throw new DatabaseUnusableError(
        `is an incomplete copy: ${table}.${column} is not an identity column; copy the schema with pg_dump`
      )
    const repair = `SELECT setval('${sequence}', max(${column})) FROM ${table}`
    try {
      await client.query('BEGIN')
      // Excludes inserts, whose identity could otherwise be newer than the newest row.
      await client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
      await client.query(repair)
      await client.query('COMMIT')
    } catch (cause) {
      await client.query('ROLLBACK')
      const reason = `has a sequence that is behind the rows of ${table}, as after a copy, and it cannot be set: run ${repair}`
      throw new DatabaseUnusableError(reason, { cause })
    }
    log.warn({ table, sequence }, 'an identity sequence was behind its table, as after a copy: corrected it')
  }
}
