import type { EventSelection } from '../../operator-store.ts'
import { STORED_EVENT_COLUMNS } from '../../rows/event-rows.ts'
import { storedColumns } from '../../rows/operator-rows.ts'
import { statements } from '../queries.ts'

const STORED_COLUMNS = storedColumns("coalesce(json_agg(key ORDER BY key), '[]')::text")

/** The condition of an `EventSelection`. */
const SELECTED_EVENTS = `wallet_id = :wallet AND state = ANY (:states::text[])
  AND submission_id = coalesce(:submissionId, submission_id) AND type = coalesce(:type, type)`

/** The parameters of that condition. */
export const named = ({ states, submissionId, type }: EventSelection) => ({
  states,
  submissionId: submissionId ?? null,
  type: type ?? null
})

/** The statements of the operator's tool. */
export const operatorSql = statements({
  signer: 'SELECT * FROM signer WHERE wallet_id = :wallet',
  list: `SELECT ${STORED_COLUMNS} FROM submission
    WHERE wallet_id = :wallet AND status = ANY (:states::text[]) AND updated_at < :changedBefore
    ORDER BY position LIMIT :limit`,
  findStored: `SELECT ${STORED_COLUMNS} FROM submission
    WHERE wallet_id = :wallet AND submission_id = :submissionId`,
  withIdentity: `SELECT ${STORED_COLUMNS} FROM submission
    WHERE position = (SELECT position FROM identity WHERE wallet_id = :wallet AND key = :key)`,
  slot: 'SELECT * FROM slot WHERE wallet_id = :wallet AND sequence = :sequence',
  newestTxId: 'SELECT coalesce(max(tx_id), 0) AS count FROM submission WHERE wallet_id = :wallet',
  openSlots: 'SELECT * FROM slot WHERE wallet_id = :wallet AND origin IS NULL ORDER BY sequence',
  variants: 'SELECT * FROM variant WHERE wallet_id = :wallet AND sequence = :sequence ORDER BY position',
  settle: `UPDATE submission
    SET status = :status, sequence = :sequence, tx_id = :txId, transaction_hash = :transactionHash, height = :height,
        gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = coalesce(:error, error), updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = :submissionId AND status IN ('queued', 'broadcast')`,
  correct: `UPDATE submission
    SET status = :status, tx_id = :txId, gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = :error,
        updated_at = :now
    WHERE wallet_id = :wallet AND submission_id = :submissionId AND status = 'committed'
      AND transaction_hash = :transactionHash AND height = :height`,
  forgetWrongEvents: `DELETE FROM event WHERE wallet_id = :wallet AND submission_id IN (
      SELECT submission_id FROM submission
      WHERE submission_id = :submissionId AND (status <> :status OR tx_id IS DISTINCT FROM :txId))`,
  insertSubmission: `INSERT INTO submission
      (wallet_id, submission_id, content_hash, type_url, message, status, created_at, updated_at)
    VALUES (:wallet, :submissionId, :contentHash, :typeUrl, :message, 'queued', :now, :now)`,
  takeIdentities: `INSERT INTO identity (wallet_id, key, position)
    SELECT wallet_id, key, position FROM submission, unnest(:keys::text[]) AS key
    WHERE wallet_id = :wallet AND submission_id = :submissionId
    ON CONFLICT (wallet_id, key) DO UPDATE SET position = excluded.position
    WHERE (SELECT status FROM submission WHERE submission.position = identity.position) = 'rejected'`,
  requeueSlot: `UPDATE submission SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = :now
    WHERE wallet_id = :wallet AND sequence = :sequence AND status = 'broadcast'`,
  closeSlot: `UPDATE slot SET transaction_hash = :transactionHash, origin = :origin, height = :height
    WHERE wallet_id = :wallet AND sequence = :sequence AND origin IS NULL`,
  deleteSlot: 'DELETE FROM slot WHERE wallet_id = :wallet AND sequence = :sequence AND origin IS NULL',
  moveSigner: `UPDATE signer SET chain_id = :chainId, account_number = :accountNumber, next_sequence = :nextSequence,
      cursor_height = :cursorHeight, cursor_hash = :cursorHash, probe_passed = :probePassed
    WHERE wallet_id = :wallet`,
  events: `SELECT ${STORED_EVENT_COLUMNS} FROM event WHERE ${SELECTED_EVENTS} ORDER BY position LIMIT :limit`,
  redeliver: `UPDATE event
    SET state = 'pending', attempts = 0, redeliveries = redeliveries + 1, due_at = :now, updated_at = :now
    WHERE ${SELECTED_EVENTS}`
})
