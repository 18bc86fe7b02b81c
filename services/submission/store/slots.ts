import type { EngineStore, SignedTx } from '../contract.ts'
import { StoreCorruptError } from '../errors.ts'
import { hasLeft } from '../slots.ts'
import { appended, historyLine } from './history.ts'
import { expectChanges } from './outcomes.ts'
import { toSignedTx, toSlot, toUnsettled } from './rows.ts'
import { allOf, insertInto, isAnyOf, type Row, type Sql, type StoreContext, sql } from './sql.ts'
import type { TermWrite } from './term.ts'

/** Returns the SQL that removes a submission from the transactions of its slot. */
export function leaveSlot(wallet: number, submissionId: string, sequences?: readonly number[]): Sql {
  const id = JSON.stringify(submissionId)
  const ofSlots = sequences ? sql`AND sequence ${isAnyOf(sequences)}` : sql``
  return sql`UPDATE signed_tx SET submission_ids = replace(submission_ids, ${id}, '""')
    WHERE wallet_id = ${wallet} AND submission_ids <> replace(submission_ids, ${id}, '""') ${ofSlots}`
}

/** The SQL of a condition on a signed transaction: the block of the cursor resolved its slot. */
export const isOfLastBlock = sql`EXISTS (SELECT 1 FROM slot JOIN wallet_state USING (wallet_id)
  WHERE slot.wallet_id = signed_tx.wallet_id AND slot.sequence = signed_tx.sequence AND slot.height = cursor_height)`

const signedLine = ({ hash, sequence, gasLimit, feeAmount }: SignedTx, at: number) =>
  appended(
    'submission',
    sql`${historyLine({ at, what: 'signed', hash, slot: sequence, gasLimit, fee: String(feeAmount) })}`
  )

/**
 * Returns the signed transactions if open slots, their transactions and their submissions belong together: after damage
 * to one of them, a submission could be executed twice or never.
 * @throws StoreCorruptError
 */
function consistent(
  slots: readonly Row[],
  signedTxs: readonly SignedTx[],
  submissions: readonly Row[]
): SignedTx[] {
  const open = new Set(slots.map(row => toSlot(row).sequence))
  const inSlots = new Map(submissions.map(row => [toUnsettled(row).submissionId, row['sequence']]))
  const unsigned = new Set(open)
  const unnamed = new Map(inSlots)
  for (const { hash, sequence, submissionIds } of signedTxs) {
    const isOwn = submissionIds.every(id => hasLeft(id) || inSlots.get(id) === sequence)
    if (!open.has(sequence))
      throw isOwn
        ? new StoreCorruptError('slot', String(sequence), 'origin')
        : new StoreCorruptError('signed_tx', hash, 'sequence')
    unsigned.delete(sequence)
    for (const id of submissionIds) {
      if (!hasLeft(id) && !inSlots.has(id)) throw new StoreCorruptError('signed_tx', hash, 'submission_ids')
      if (inSlots.get(id) === sequence) unnamed.delete(id)
    }
  }
  for (const sequence of unsigned) throw new StoreCorruptError('slot', String(sequence), 'sequence')
  for (const submissionId of unnamed.keys())
    throw new StoreCorruptError('submission', submissionId, 'sequence')
  return [...signedTxs]
}

/** Creates the functions for the queue and the open slots. */
export function createSlots(
  { database, wallet, now }: StoreContext,
  write: TermWrite
): Pick<EngineStore, 'queued' | 'openSignedTxs' | 'openSlot' | 'addSignedTx'> {
  const ofWallet = sql`wallet_id = ${wallet}`

  const insertSignedTx = ({ hash, sequence, bytes, gasLimit, feeAmount, submissionIds }: SignedTx) =>
    insertInto('signed_tx', wallet, [{ hash, sequence, bytes, gasLimit, feeAmount, submissionIds }])

  return {
    async queued(limit, without = []) {
      const rows = await database.all`
        SELECT submission.*, CASE WHEN first.status = 'queued' THEN first.submission_id END AS waits_for
        FROM submission LEFT JOIN submission AS first
          ON first.wallet_id = submission.wallet_id AND first.submission_id = submission.follows
        WHERE submission.wallet_id = ${wallet} AND submission.status = 'queued'
          AND (first.submission_id IS NULL OR first.status IN ('queued', 'damaged') OR (first.status = 'committed'
            AND first.height < (SELECT cursor_height FROM wallet_state WHERE ${ofWallet})))
          AND NOT submission.submission_id ${isAnyOf(without)}
          AND NOT coalesce(submission.follows, '') ${isAnyOf(without)}
        ORDER BY submission.position LIMIT ${limit}`
      return rows.map(toUnsettled)
    },

    async openSignedTxs() {
      const [slots, signedTxs, submissions] = await allOf(
        database.all`SELECT sequence FROM slot WHERE ${ofWallet} AND origin IS NULL`,
        database.all`SELECT * FROM signed_tx WHERE ${ofWallet} AND NOT ${isOfLastBlock} ORDER BY sequence, position`,
        database.all`SELECT * FROM submission WHERE ${ofWallet} AND status || '' = 'broadcast'`
      )
      return consistent(slots, signedTxs.map(toSignedTx), submissions)
    },

    openSlot: signedTx =>
      write(async transaction => {
        const { run } = transaction
        const { sequence, hash, submissionIds } = signedTx
        await allOf(
          expectChanges(
            1,
            run`UPDATE wallet_state SET next_sequence = ${sequence + 1}
              WHERE ${ofWallet} AND next_sequence = ${sequence}`,
            `sequence ${sequence} is not the next sequence`
          ),
          run`INSERT INTO slot (wallet_id, sequence) VALUES (${wallet}, ${sequence})`,
          expectChanges(
            submissionIds.length,
            run`UPDATE submission
              SET status = 'broadcast', sequence = ${sequence}, transaction_hash = ${hash}, updated_at = ${now()},
                history = ${signedLine(signedTx, now())}
              WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND status = 'queued'`,
            `a submission for slot ${sequence} is not queued`
          ),
          run(insertSignedTx(signedTx))
        )
      }),

    addSignedTx: signedTx =>
      write(async transaction => {
        const { sequence, hash, submissionIds } = signedTx
        await allOf(
          transaction.run(insertSignedTx(signedTx)),
          transaction.run`UPDATE submission SET transaction_hash = ${hash}, updated_at = ${now()},
              history = ${signedLine(signedTx, now())}
            WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}
              AND sequence = ${sequence} AND status = 'broadcast'`
        )
      })
  }
}
