import { SUBMISSION_COLUMNS } from '../rows/index.ts'
import { statements } from './queries.ts'

/** Of the submission, where another table in the statement has some of these columns too. */
const QUALIFIED_COLUMNS = SUBMISSION_COLUMNS.replaceAll(/\w+/g, column => `submission.${column}`)

const findSubmissions = `SELECT ${SUBMISSION_COLUMNS} FROM submission
  WHERE wallet_id = :wallet AND submission_id = ANY (:submissionIds::text[])`

/** Locks the keys until the end of the transaction, in their order, so that two transactions never wait for each other. */
export const claimIdentities = `INSERT INTO identity (wallet_id, key)
  SELECT :wallet::integer, key FROM unnest(:keys::text[]) AS key ORDER BY key COLLATE "C"
  ON CONFLICT (wallet_id, key) DO UPDATE SET key = excluded.key`

export const findHolders = `SELECT key, ${QUALIFIED_COLUMNS} FROM identity JOIN submission USING (position)
  WHERE identity.wallet_id = :wallet AND key = ANY (:keys::text[])`

export const holdIdentities = `UPDATE identity SET position = submission.position
  FROM unnest(:keys::text[], :submissionIds::text[]) AS held (key, submission_id)
  JOIN submission ON submission.wallet_id = :wallet AND submission.submission_id = held.submission_id
  WHERE identity.wallet_id = :wallet AND identity.key = held.key`

export const releaseIdentities = `DELETE FROM identity
  WHERE wallet_id = :wallet AND key = ANY (:keys::text[]) AND position IS NULL`

export const insertSubmissions = `INSERT INTO submission
    (wallet_id, submission_id, content_hash, type_url, message, status, created_at, updated_at)
  SELECT :wallet::integer, submission_id, content_hash, type_url, message, 'queued', :now::bigint, :now::bigint
  FROM unnest(:submissionIds::text[], :hashes::bytea[], :typeUrls::text[], :messages::bytea[])
    WITH ORDINALITY AS request (submission_id, content_hash, type_url, message, number) ORDER BY number`

/** The statements of the store as every replica uses it. */
export const storeSql = statements({
  findSubmissions,
  /** Finds them by their ids first: the index of all settled submissions would be read in vain. */
  findSettled: `WITH found AS MATERIALIZED (${findSubmissions})
    SELECT * FROM found WHERE status IN ('committed', 'rejected')`,
  claimIdentities,
  findHolders,
  insertSubmissions,
  holdIdentities,
  releaseIdentities,
  countUnsettled: `SELECT
      (SELECT count(*) FROM submission WHERE wallet_id = :wallet AND status = 'queued') +
      (SELECT count(*) FROM slot JOIN submission USING (wallet_id, sequence)
       WHERE wallet_id = :wallet AND slot.origin IS NULL AND status = 'broadcast') AS count`,
  oldestUnsettled: `SELECT min(created_at) AS time FROM (
      (SELECT created_at FROM submission WHERE wallet_id = :wallet AND status = 'queued' ORDER BY position LIMIT 1)
      UNION ALL
      SELECT created_at FROM slot JOIN submission USING (wallet_id, sequence)
      WHERE wallet_id = :wallet AND slot.origin IS NULL AND status = 'broadcast') AS unsettled`,
  feesPaid: `SELECT amount::text AS amount FROM fee_day WHERE wallet_id = :wallet AND day =
      (SELECT to_char(to_timestamp(cursor_time / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM signer WHERE wallet_id = :wallet)`,
  signer: `SELECT address, chain_id, account_number, next_sequence, cursor_height, cursor_hash, probe_passed
    FROM signer WHERE wallet_id = :wallet`,
  /** By the clock of the server, which all replicas share. */
  report: `SELECT report, (extract(epoch FROM clock_timestamp() - reported_at) * 1000)::bigint AS age FROM wallet
    WHERE wallet_id = :wallet AND report IS NOT NULL`,
  /** Nothing is old before the first block. */
  findForgotten: `SELECT position FROM submission
    WHERE wallet_id = :wallet AND status IN ('committed', 'rejected')
      AND settled_at < (SELECT least(cursor_time, :now::bigint) FROM signer
        WHERE wallet_id = :wallet AND cursor_time IS NOT NULL) - :keepMs::bigint
      AND NOT EXISTS (
        SELECT FROM event
        WHERE event.wallet_id = :wallet AND event.submission_id = submission.submission_id AND state = 'pending')
    ORDER BY settled_at LIMIT :limit`,
  /** Locks identities before their submissions, as intake does. */
  lockIdentities: `SELECT key FROM identity WHERE wallet_id = :wallet AND position = ANY (:positions::bigint[])
    ORDER BY key FOR UPDATE`,
  forgetSubmissions: `DELETE FROM submission WHERE wallet_id = :wallet AND position = ANY (:positions::bigint[])`,
  forgetSlots: `DELETE FROM slot WHERE wallet_id = :wallet AND sequence IN
      (SELECT sequence FROM slot
       WHERE wallet_id = :wallet AND origin IS NOT NULL
         AND sequence < coalesce((SELECT min(sequence) FROM submission WHERE wallet_id = :wallet),
                                 (SELECT next_sequence FROM signer WHERE wallet_id = :wallet))
       ORDER BY sequence LIMIT :limit)`,
  /** A transfer that is not final by then is no longer watched. */
  forgetEvents: `DELETE FROM event WHERE wallet_id = :wallet AND submission_id IN
      (SELECT submission_id FROM submission WHERE position = ANY (:positions::bigint[]))`,
  notify: 'SELECT pg_notify(:channel, :payload)'
})
