import { SUBMISSION_COLUMNS } from '../rows/index.ts'
import type { Connection } from './database.ts'
import { readingTexts } from './readable-texts.ts'

type Parameters = Readonly<Record<string, unknown>>

interface Command {
  run(parameters: Parameters): { changes: number }
}

/** Rows are checked in `rows`. A text that is not UTF-8 is read as bytes. */
interface Query {
  get(parameters: Parameters): unknown
  all(parameters: Parameters): unknown[]
}

/**
 * The parameters of a statement, which are written `:name`, in the order of their positions, because libsql looks up each name
 * again for each execution. SQLite numbers names in the order in which they first occur.
 */
function inOrder(sql: string): (parameters: Parameters) => unknown[] {
  const names = [...new Set(sql.match(/(?<=:)[a-zA-Z]+/g))]
  return parameters => names.map(name => parameters[name])
}

/** Prepares statements. Parameters are named. */
export function preparing(connection: Connection) {
  return {
    command(sql: string): Command {
      const prepared = connection.prepare(sql)
      const values = inOrder(sql)
      return { run: parameters => prepared.run(values(parameters)) }
    },
    query(sql: string): Query {
      const { sql: reading, decode } = readingTexts(connection, sql)
      const prepared = connection.prepare(reading)
      const values = inOrder(sql)
      return {
        get: parameters => decode(prepared.get(values(parameters))),
        all: parameters => prepared.all(values(parameters)).map(decode)
      }
    }
  }
}

/** In the order of the ids, which are a JSON array. Those that do not exist are left out. */
const findSubmissions = `SELECT ${SUBMISSION_COLUMNS}
  FROM json_each(:submissionIds) AS wanted CROSS JOIN submission ON submission_id = wanted.value ORDER BY wanted.id`

const findHolder = `SELECT ${SUBMISSION_COLUMNS} FROM identity JOIN submission USING (position) WHERE key = :key`

const holdIdentity = `INSERT INTO identity (key, position)
  SELECT :key, position FROM submission WHERE submission_id = :submissionId
  ON CONFLICT (key) DO UPDATE SET position = excluded.position`

const insertSubmission = `INSERT INTO submission
    (submission_id, content_hash, type_url, message, status, created_at, updated_at)
  VALUES (:submissionId, :hash, :typeUrl, :message, 'queued', :now, :now)`

/** Nothing is old before the first block. */
const findForgotten = `SELECT position FROM submission
  WHERE status IN ('committed', 'rejected') AND settled_at < (SELECT min(cursor_time, :now) FROM signer) - :keepMs
    AND NOT EXISTS (
      SELECT 1 FROM event WHERE event.submission_id = submission.submission_id AND state = 'pending')
  ORDER BY settled_at, position LIMIT :limit`

/** The statements of the store as every replica uses it, prepared once. Parameters are named. */
export function prepareStatements(connection: Connection) {
  const { command, query } = preparing(connection)
  return {
    findSubmission: query(`SELECT ${SUBMISSION_COLUMNS} FROM submission WHERE submission_id = :submissionId`),
    findSubmissions: query(findSubmissions),
    findSettled: query(
      `SELECT ${SUBMISSION_COLUMNS} FROM submission
       WHERE submission_id IN (SELECT value FROM json_each(:submissionIds)) AND status IN ('committed', 'rejected')`
    ),
    findHolder: query(findHolder),
    holdIdentity: command(holdIdentity),
    insertSubmission: command(insertSubmission),
    /**
     * Whatever is in an open slot is broadcast: without its status, which is in the row, the index alone is read. CROSS JOIN
     * because SQLite would otherwise go through all submissions and look up the slot of each.
     */
    countUnsettled: query(
      `SELECT (SELECT count(*) FROM submission WHERE status = 'queued') +
              (SELECT count(*) FROM slot CROSS JOIN submission USING (sequence) WHERE slot.origin IS NULL) AS count`
    ),
    oldestUnsettled: query(
      `SELECT min(created_at) AS time FROM (
         SELECT created_at FROM (
           SELECT created_at FROM submission WHERE status = 'queued' ORDER BY position LIMIT 1)
         UNION ALL
         SELECT created_at FROM slot CROSS JOIN submission USING (sequence)
         WHERE slot.origin IS NULL AND status = 'broadcast')`
    ),
    feesPaid: query(
      `SELECT amount FROM fee_day WHERE day = (SELECT date(cursor_time / 1000, 'unixepoch') FROM signer)`
    ),
    signer: query(
      `SELECT address, chain_id, account_number, next_sequence, cursor_height, cursor_hash, probe_passed FROM signer`
    ),
    /** A transfer that is not final by then is no longer watched. */
    forgetEvents: command(
      `DELETE FROM event WHERE submission_id IN
         (SELECT submission_id FROM submission WHERE position IN (${findForgotten}))`
    ),
    forgetSubmissions: command(`DELETE FROM submission WHERE position IN (${findForgotten})`),
    forgetSlots: command(
      `DELETE FROM slot WHERE sequence IN
         (SELECT sequence FROM slot
          WHERE origin IS NOT NULL
            AND sequence < coalesce((SELECT min(sequence) FROM submission), (SELECT next_sequence FROM signer))
          ORDER BY sequence LIMIT :limit)`
    )
  }
}

/** The statements of the leader. */
export function prepareEngineStatements(connection: Connection) {
  const { command, query } = preparing(connection)
  return {
    findSubmissions: query(findSubmissions),
    findCreations: query(
      `SELECT submission_id, created_at FROM submission
       WHERE submission_id IN (SELECT value FROM json_each(:submissionIds))`
    ),
    queued: query(
      `SELECT submission_id, content_hash, type_url, message, attempts, lone_failures, batch_limit, error FROM submission
       WHERE status = 'queued' ORDER BY position LIMIT :limit`
    ),
    assignSubmissions: command(
      `UPDATE submission
       SET status = 'broadcast', sequence = :sequence, transaction_hash = :hash, updated_at = :now
       WHERE submission_id IN (SELECT value FROM json_each(:submissionIds)) AND status = 'queued'`
    ),
    rejectQueued: command(
      `UPDATE submission SET status = 'rejected', error = :error, updated_at = :now
       WHERE submission_id = :submissionId AND status = 'queued'`
    ),
    requeue: command(
      `UPDATE submission
       SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = :now
       WHERE submission_id = :submissionId AND status = 'broadcast' AND sequence = :sequence`
    ),
    requeueSuspect: command(
      `UPDATE submission
       SET status = 'queued', sequence = NULL, transaction_hash = NULL, error = :error, attempts = attempts + 1,
           lone_failures = lone_failures + :alone, batch_limit = :batchLimit, updated_at = :now
       WHERE submission_id = :submissionId AND status = 'broadcast' AND sequence = :sequence`
    ),
    commitSubmission: command(
      `UPDATE submission
       SET status = 'committed', tx_id = :txId, transaction_hash = :transactionHash, height = :height,
           gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, updated_at = :now
       WHERE submission_id = :submissionId AND status = 'broadcast' AND sequence = :sequence`
    ),
    rejectBroadcast: command(
      `UPDATE submission
       SET status = 'rejected', error = :error, transaction_hash = :transactionHash, height = :height,
           updated_at = :now
       WHERE submission_id = :submissionId AND status = 'broadcast' AND sequence = :sequence`
    ),
    insertSlot: command('INSERT INTO slot (sequence) VALUES (:sequence)'),
    resolveSlot: command(
      `INSERT INTO slot (sequence, transaction_hash, origin, height)
       VALUES (:sequence, :transactionHash, :origin, :height)
       ON CONFLICT (sequence) DO UPDATE
       SET transaction_hash = excluded.transaction_hash, origin = excluded.origin, height = excluded.height`
    ),
    insertVariant: command(
      `INSERT INTO variant (hash, sequence, bytes, gas_limit, fee_amount, submission_ids)
       VALUES (:hash, :sequence, :bytes, :gasLimit, :feeAmount, :submissionIds)`
    ),
    setTransactionHash: command(
      `UPDATE submission SET transaction_hash = :hash, updated_at = :now
       WHERE submission_id IN (SELECT value FROM json_each(:submissionIds))
         AND sequence = :sequence AND status = 'broadcast'`
    ),
    findHolder: query(findHolder),
    holdIdentity: command(holdIdentity),
    insertSubmission: command(insertSubmission),
    /** Settles a submission by a transaction that is not of its slot, if it is in one. */
    settleUnsettled: command(
      `UPDATE submission
       SET status = :status, sequence = NULL, tx_id = :txId, transaction_hash = :transactionHash, height = :height,
           gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = coalesce(:error, error),
           updated_at = :now
       WHERE submission_id = :submissionId AND status IN ('queued', 'broadcast')`
    ),
    /** Empties the place of a submission in signed transactions. @param id as in JSON */
    leaveVariants: command(
      `UPDATE variant SET submission_ids = replace(submission_ids, :id, '""') WHERE instr(submission_ids, :id) > 0`
    ),
    findVariant: query('SELECT sequence FROM variant WHERE hash = :hash'),
    findLeftInSlot: query(
      `SELECT submission_id FROM submission WHERE sequence = :sequence AND status = 'broadcast' LIMIT 1`
    ),
    feeOfVariant: query('SELECT fee_amount AS amount FROM variant WHERE hash = :hash'),
    feesPaid: query('SELECT amount FROM fee_day WHERE day = :day'),
    putFeesPaid: command(
      `INSERT INTO fee_day (day, amount) VALUES (:day, :amount)
       ON CONFLICT (day) DO UPDATE SET amount = excluded.amount`
    ),
    deleteVariants: command('DELETE FROM variant WHERE sequence = :sequence'),
    openVariants: query(
      `SELECT hash, sequence, bytes, gas_limit, fee_amount, submission_ids
       FROM variant ORDER BY sequence, position`
    ),
    putSigner: command(
      `INSERT INTO signer
         (address, chain_id, account_number, next_sequence, cursor_height, cursor_hash, probe_passed)
       VALUES (:address, :chainId, :accountNumber, :nextSequence, :cursorHeight, :cursorHash, :probePassed)`
    ),
    setProbePassed: command('UPDATE signer SET probe_passed = 1'),
    excuseFailures: command(
      `UPDATE submission SET lone_failures = 0 WHERE status IN ('queued', 'broadcast') AND lone_failures > 0`
    ),
    advanceSequence: command(
      'UPDATE signer SET next_sequence = :sequence + 1 WHERE next_sequence = :sequence'
    ),
    correctSequence: command(
      'UPDATE signer SET next_sequence = :to WHERE next_sequence = :from AND NOT EXISTS (SELECT 1 FROM variant)'
    ),
    raiseNextSequence: command('UPDATE signer SET next_sequence = max(next_sequence, :sequence + 1)'),
    advanceCursor: command(
      `UPDATE signer SET cursor_height = :height, cursor_hash = :hash, cursor_time = :time
       WHERE cursor_height = :height - 1`
    ),
    /** Whatever has settled them since the last block. */
    dateSettled: command(
      `UPDATE submission SET settled_at = :at WHERE status IN ('committed', 'rejected') AND settled_at IS NULL`
    )
  }
}
