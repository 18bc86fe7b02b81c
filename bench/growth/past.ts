import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import Database from 'libsql'

/** Past submissions in one slot. */
const PER_SLOT = 100

/** Fast and unsafe, which is enough for a store that is deleted after the run. */
const UNSAFE = 'PRAGMA synchronous = OFF; PRAGMA cache_size = -400000'

/** Rows that are written at a time, with a checkpoint of the write-ahead log after each time. */
const CHUNK = 100_000

const numbers = (from: number, to: number) =>
  `WITH RECURSIVE number (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM number WHERE n < ${to})`

/** The slot of the past submission with that number: below all that the account will ever use. */
const slotOf = (number: string | number) => `-1 - ${number} / ${PER_SLOT}`

/** Copies the one submission that went through the store's own operations, under other ids. */
const COPY_SUBMISSION = `
  INSERT INTO submission
    (submission_id, content_hash, type_url, message, status, sequence, transaction_hash, height, tx_id,
     gas_used, gas_wanted, events, created_at, updated_at)
  SELECT printf('01900000-%04x-7%03x-a', n >> 12, n & 4095) ||
           lower(substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
         randomblob(32), type_url, message, status, ${slotOf('n')},
         hex(randomblob(32)), 1, n, gas_used, gas_wanted, events, created_at, updated_at
  FROM number, (SELECT * FROM submission ORDER BY position LIMIT 1)`

/** Each copy holds a feeId. */
const ADD_IDENTITIES = `
  INSERT INTO identity (key, position)
  SELECT 'fee:' || lower(hex(randomblob(16))), position FROM submission
  WHERE position > (SELECT max(position) FROM identity)`

const COUNT_PAST = 'SELECT count(*) AS past FROM submission WHERE sequence < 0'
const Past = Type.Object({ past: Type.Number() })

/**
 * Adds past submissions to the embedded store in a folder, each a copy of the first one, which must be committed.
 * @param from how many it has already; a multiple of PER_SLOT, like `to`
 * @param to how many it has then
 * @throws Error when it has not, because there was no submission to copy
 */
export function addPast(directory: string, from: number, to: number): void {
  const database = new Database(join(directory, 'submissions.db'))
  database.exec(UNSAFE)
  database.exec(`
    INSERT INTO slot (sequence, transaction_hash, origin, height)
    ${numbers(from / PER_SLOT, to / PER_SLOT - 1)} SELECT ${slotOf(`n * ${PER_SLOT}`)}, hex(randomblob(32)), 'own', 1 FROM number`)
  for (let done = from; done < to; done += CHUNK) {
    database.exec(`${numbers(done, Math.min(done + CHUNK, to) - 1)} ${COPY_SUBMISSION}`)
    database.exec(ADD_IDENTITIES)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  const { past } = Value.Parse(Past, database.prepare(COUNT_PAST).get())
  database.close()
  if (past !== to) throw new Error(`the store has ${past} past submissions instead of ${to}`)
}
