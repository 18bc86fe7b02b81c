import { identityKey } from '../../../identities.ts'
import { contentHash } from '../../content-hash.ts'
import { StoreConflictError } from '../../errors.ts'
import { type OperatorWrites, type Place, type SlotEnd, settlement } from '../../operator-store.ts'
import type { Execution } from '../../types.ts'
import { atomically, type Connection } from '../database.ts'
import type { SqliteOutbox } from '../outbox.ts'
import { preparing } from '../statements.ts'

/** @param outbox where there is one, what settles a submission writes its event */
export function createOperatorWrites(
  connection: Connection,
  outbox?: Pick<SqliteOutbox, 'writeSettled'>,
  now: () => number = Date.now
): OperatorWrites {
  const { command } = preparing(connection)
  const settle = command(
    `UPDATE submission
     SET status = :status, sequence = :sequence, tx_id = :txId, transaction_hash = :transactionHash, height = :height,
         gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = coalesce(:error, error), updated_at = :now
     WHERE submission_id = :submissionId AND status IN ('queued', 'broadcast')`
  )
  const correct = command(
    `UPDATE submission
     SET status = :status, tx_id = :txId, gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = :error,
         updated_at = :now
     WHERE submission_id = :submissionId AND status = 'committed' AND transaction_hash = :transactionHash AND height = :height`
  )
  const forgetWrongEvents = command(
    `DELETE FROM event WHERE submission_id IN (
       SELECT submission_id FROM submission
       WHERE submission_id = :submissionId AND (status <> :status OR tx_id IS NOT :txId))`
  )
  const holdIdentity = command(
    `INSERT INTO identity (key, position) SELECT :key, position FROM submission WHERE submission_id = :submissionId
     ON CONFLICT (key) DO UPDATE SET position = excluded.position
     WHERE (SELECT status FROM submission WHERE position = identity.position) = 'rejected'`
  )
  const insert = command(
    `INSERT INTO submission
       (submission_id, content_hash, type_url, message, status, created_at, updated_at)
     VALUES (:submissionId, :contentHash, :typeUrl, :message, 'queued', :now, :now)`
  )
  const requeue = command(
    `UPDATE submission SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = :now
     WHERE sequence = :sequence AND status = 'broadcast'`
  )
  const resolveSlot = command(
    `UPDATE slot SET transaction_hash = :transactionHash, origin = :origin, height = :height
     WHERE sequence = :sequence AND origin IS NULL`
  )
  const deleteVariants = command('DELETE FROM variant WHERE sequence = :sequence')
  const deleteSlot = command('DELETE FROM slot WHERE sequence = :sequence AND origin IS NULL')
  const moveSigner = command(
    `UPDATE signer SET chain_id = :chainId, account_number = :accountNumber, next_sequence = :nextSequence,
       cursor_height = :cursorHeight, cursor_hash = :cursorHash, probe_passed = :probePassed`
  )

  /** @param sequence the slot that executed it; null when the store does not have that slot */
  function write(execution: Execution, place: Place, sequence: number | null = null): void {
    const { changes } = settle.run({ ...settlement(execution, place), sequence, now: now() })
    if (changes !== 1) throw new StoreConflictError(`${execution.submissionId} is settled already`)
    outbox?.writeSettled([execution.submissionId])
  }

  function end({ sequence, consumedBy, executions }: SlotEnd): void {
    for (const execution of executions) if (consumedBy) write(execution, consumedBy, sequence)
    requeue.run({ sequence, now: now() })
    deleteVariants.run({ sequence })
    if (consumedBy === undefined) deleteSlot.run({ sequence })
    else resolveSlot.run({ sequence, ...consumedBy })
  }

  return {
    settle: (execution, place) => atomically(connection, () => write(execution, place)),
    record: ({ identities, typeUrl, message, execution }, place) =>
      atomically(connection, () => {
        const { submissionId } = execution
        const content = { typeUrl, message: Buffer.from(message), contentHash: contentHash(typeUrl, message) }
        insert.run({ submissionId, ...content, now: now() })
        for (const identity of identities) holdIdentity.run({ key: identityKey(identity), submissionId })
        write(execution, place)
      }),
    correct: (execution, place) =>
      atomically(connection, () => {
        const { submissionId, status } = execution
        const result = settlement(execution, place)
        if (outbox) forgetWrongEvents.run({ submissionId, status, txId: result.txId })
        const { changes } = correct.run({ ...result, now: now() })
        if (changes !== 1) throw new StoreConflictError(`${submissionId} has changed`)
        outbox?.writeSettled([submissionId])
      }),
    move: (ends, { accountNumber, probePassed, ...rest }) =>
      atomically(connection, () => {
        for (const slotEnd of ends) end(slotEnd)
        moveSigner.run({ ...rest, accountNumber: String(accountNumber), probePassed: Number(probePassed) })
      })
  }
}
