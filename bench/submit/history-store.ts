import { join } from 'node:path'
import Database from 'libsql'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { leadingStore } from '../../test/helpers/leading-store.ts'
import { createStoreCycle } from './store-cycle.ts'

/** Past submissions in one slot. */
const PER_SLOT = 100

/** Fast and unsafe, which is enough for a store that is deleted after the run. */
const UNSAFE = 'PRAGMA synchronous = OFF; PRAGMA cache_size = -400000'

/** Rows that are written at a time, with a checkpoint of the write-ahead log after each time. */
const CHUNK = 100_000

const numbers = (from: number, to: number) =>
  `WITH RECURSIVE number (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM number WHERE n < ${to})`

/** Copies the one submission that went through the store's own operations, under other ids. */
const COPY_SUBMISSION = `
  INSERT INTO submission
    (submission_id, content_hash, type_url, message, status, sequence, transaction_hash, height, tx_id,
     gas_used, gas_wanted, events, created_at, updated_at)
  SELECT printf('01900000-%04x-7%03x-a', n >> 12, n & 4095) ||
           lower(substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
         randomblob(32), type_url, message, status, 1 + n / ${PER_SLOT},
         hex(randomblob(32)), 1 + n / ${PER_SLOT}, n, gas_used, gas_wanted, events, created_at, updated_at
  FROM number, (SELECT * FROM submission LIMIT 1)`

/** Each copy holds a feeId. */
const ADD_IDENTITIES = `
  INSERT INTO identity (key, position)
  SELECT 'fee:' || lower(hex(randomblob(16))), position FROM submission
  WHERE position NOT IN (SELECT position FROM identity)`

/**
 * Makes a store with a signer and that many committed submissions, each as the engine writes it.
 * @returns the sequence and the height from which the engine would continue
 */
export async function makeHistory(directory: string, submissions: number) {
  const store = await leadingStore(createSqliteStore(directory))
  const account = { address: 'service1example', chainId: 'example-1', accountNumber: 0n }
  await store.putSigner({ ...account, nextSequence: 0, cursorHeight: 0, cursorHash: '', probePassed: false })
  const cycle = createStoreCycle(store, { sequence: 0, height: 0 })
  await cycle.take(1)
  await cycle.pack()
  await cycle.apply()
  await store.close()
  const slots = 1 + Math.floor(submissions / PER_SLOT)
  if (submissions > 0) copy(join(directory, 'submissions.db'), submissions, slots)
  return { sequence: submissions > 0 ? slots + 1 : 1, height: submissions > 0 ? slots + 1 : 1 }
}

function copy(path: string, submissions: number, slots: number): void {
  const database = new Database(path)
  database.exec(UNSAFE)
  database.exec(`
    INSERT INTO slot (sequence, transaction_hash, origin, height)
    ${numbers(1, slots)} SELECT n, hex(randomblob(32)), 'own', n FROM number`)
  for (let done = 0; done < submissions; done += CHUNK) {
    database.exec(`${numbers(done + 1, Math.min(done + CHUNK, submissions))} ${COPY_SUBMISSION}`)
    database.exec(ADD_IDENTITIES)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  database.exec(`UPDATE signer SET next_sequence = ${slots + 1}, cursor_height = ${slots + 1}`)
  database.close()
}
