import { SUBMISSION_COLUMNS } from '../rows/index.ts'
import { statements } from './queries.ts'
import {
  claimIdentities,
  findHolders,
  holdIdentities,
  insertSubmissions,
  releaseIdentities
} from './statements.ts'

/** The outcomes of submissions in a slot, one statement for all that have the same status. */
const IN_SLOT = `submission.wallet_id = :wallet AND submission.submission_id = outcome.submission_id
  AND submission.status = 'broadcast' AND submission.sequence = :sequence`

/** The statements of the leader. */
export const engineSql = statements({
  /** Finds the wallet while the term is the present one, and lets no other begin until the end of the transaction. */
  lockTerm: 'SELECT epoch FROM wallet WHERE wallet_id = :wallet AND epoch = :epoch FOR UPDATE',
  settledSubmissions: `SELECT ${SUBMISSION_COLUMNS} FROM submission
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[])`,
  queued: `SELECT submission_id, content_hash, type_url, message, attempts, lone_failures, batch_limit, error
    FROM submission WHERE wallet_id = :wallet AND status = 'queued' ORDER BY position LIMIT :limit`,
  assignSubmissions: `UPDATE submission SET status = 'broadcast', sequence = :sequence, transaction_hash = :hash, updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[]) AND status = 'queued'`,
  rejectQueued: `UPDATE submission SET status = 'rejected', error = :error, updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = :submissionId AND status = 'queued'`,
  requeue: `UPDATE submission
    SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = :now
    FROM unnest(:submissionIds::text[]) AS outcome (submission_id) WHERE ${IN_SLOT}`,
  requeueSuspects: `UPDATE submission
    SET status = 'queued', sequence = NULL, transaction_hash = NULL, error = outcome.error, attempts = attempts + 1,
        lone_failures = lone_failures + outcome.alone, batch_limit = outcome.batch_limit, updated_at = :now
    FROM unnest(:submissionIds::text[], :errors::text[], :alone::integer[], :batchLimits::integer[])
      AS outcome (submission_id, error, alone, batch_limit)
    WHERE ${IN_SLOT}`,
  commitSubmissions: `UPDATE submission
    SET status = 'committed', tx_id = outcome.tx_id, transaction_hash = :transactionHash, height = :height,
        gas_used = outcome.gas_used, gas_wanted = outcome.gas_wanted, events = outcome.events, updated_at = :now
    FROM unnest(:submissionIds::text[], :txIds::bigint[], :gasUsed::bigint[], :gasWanted::bigint[], :events::text[])
      AS outcome (submission_id, tx_id, gas_used, gas_wanted, events)
    WHERE ${IN_SLOT}`,
  rejectBroadcast: `UPDATE submission
    SET status = 'rejected', error = outcome.error, transaction_hash = :transactionHash, height = :height,
        updated_at = :now
    FROM unnest(:submissionIds::text[], :errors::text[]) AS outcome (submission_id, error) WHERE ${IN_SLOT}`,
  insertSlot: 'INSERT INTO slot (wallet_id, sequence) VALUES (:wallet, :sequence)',
  resolveSlot: `INSERT INTO slot (wallet_id, sequence, transaction_hash, origin, height)
    VALUES (:wallet, :sequence, :transactionHash, :origin, :height)
    ON CONFLICT (wallet_id, sequence) DO UPDATE
    SET transaction_hash = excluded.transaction_hash, origin = excluded.origin, height = excluded.height`,
  insertVariant: `INSERT INTO variant (wallet_id, hash, sequence, bytes, gas_limit, fee_amount, submission_ids)
    VALUES (:wallet, :hash, :sequence, :bytes, :gasLimit, :feeAmount, :submissionIds)`,
  setTransactionHash: `UPDATE submission SET transaction_hash = :hash, updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[])
      AND sequence = :sequence AND status = 'broadcast'`,
  claimIdentities,
  findHolders,
  holdIdentities,
  releaseIdentities,
  insertSubmissions,
  /** Settles a submission by a transaction that is not of its slot, if it is in one. */
  settleUnsettled: `UPDATE submission
    SET status = :status, sequence = NULL, tx_id = :txId, transaction_hash = :transactionHash, height = :height,
        gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = coalesce(:error, error), updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = :submissionId AND status IN ('queued', 'broadcast')`,
  /** Empties the place of a submission in signed transactions. @param id as in JSON */
  leaveVariants: `UPDATE variant SET submission_ids = replace(submission_ids, :id, '""')
    WHERE wallet_id = :wallet AND position(:id::text IN submission_ids) > 0`,
  findVariant: 'SELECT sequence FROM variant WHERE wallet_id = :wallet AND hash = :hash',
  findLeftInSlot: `SELECT submission_id FROM submission
    WHERE wallet_id = :wallet AND sequence = :sequence AND status = 'broadcast' LIMIT 1`,
  /** Adds the fee of a transaction in a block; a foreign one has no variant. */
  addFee: `INSERT INTO fee_day (wallet_id, day, amount)
    SELECT wallet_id, :day::text, fee_amount::numeric FROM variant WHERE wallet_id = :wallet AND hash = :transactionHash
    ON CONFLICT (wallet_id, day) DO UPDATE SET amount = fee_day.amount + excluded.amount`,
  deleteVariants: 'DELETE FROM variant WHERE wallet_id = :wallet AND sequence = :sequence',
  openVariants: `SELECT hash, sequence, bytes, gas_limit, fee_amount, submission_ids
    FROM variant WHERE wallet_id = :wallet ORDER BY sequence, position`,
  putSigner: `INSERT INTO signer (wallet_id, address, chain_id, account_number, next_sequence, cursor_height,
      cursor_hash, probe_passed)
    VALUES (:wallet, :address, :chainId, :accountNumber, :nextSequence, :cursorHeight, :cursorHash, :probePassed)`,
  setProbePassed: 'UPDATE signer SET probe_passed = 1 WHERE wallet_id = :wallet',
  excuseFailures: `UPDATE submission SET lone_failures = 0
    WHERE wallet_id = :wallet AND status IN ('queued', 'broadcast') AND lone_failures > 0`,
  advanceSequence: `UPDATE signer SET next_sequence = :sequence::bigint + 1
    WHERE wallet_id = :wallet AND next_sequence = :sequence::bigint`,
  correctSequence: `UPDATE signer SET next_sequence = :to::bigint WHERE wallet_id = :wallet AND next_sequence = :from::bigint
    AND NOT EXISTS (SELECT 1 FROM variant WHERE wallet_id = :wallet)`,
  raiseNextSequence: `UPDATE signer SET next_sequence = greatest(next_sequence, :sequence::bigint + 1)
    WHERE wallet_id = :wallet`,
  advanceCursor: `UPDATE signer SET cursor_height = :height::bigint, cursor_hash = :hash, cursor_time = :time
    WHERE wallet_id = :wallet AND cursor_height = :height::bigint - 1`,
  /** Whatever has settled them since the last block. */
  dateSettled: `UPDATE submission SET settled_at = :at
    WHERE wallet_id = :wallet AND status IN ('committed', 'rejected') AND settled_at IS NULL`,
  putReport: `UPDATE wallet SET report = :report, reported_at = now() WHERE wallet_id = :wallet`,
  notify: 'SELECT pg_notify(:channel, :payload)'
})
