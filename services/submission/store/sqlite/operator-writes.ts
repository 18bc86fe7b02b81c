import { identityKey } from '../../identities.ts'
import type { Identity } from '../../types.ts'
import { contentHash } from '../content-hash.ts'
import { StoreConflictError } from '../errors.ts'
import type { SignerState, SubmissionOutcome } from '../types.ts'
import type { Connection } from './database.ts'

/** Where the chain executed something. */
export interface Place {
  transactionHash: string
  height: number
}

export type Execution = Extract<SubmissionOutcome, { status: 'committed' | 'rejected' }>

/** A request that the chain executed, and that the store does not know. */
export interface UnknownRequest {
  identities: readonly Identity[]
  typeUrl: string
  message: Uint8Array
  execution: Extract<SubmissionOutcome, { status: 'committed' }>
}

/** The end of an open slot, none of whose transactions can be executed any more. */
export interface SlotEnd {
  sequence: number
  /** The transaction that consumed it; undefined when none did, or when it is not known. */
  consumedBy: (Place & { origin: 'own' | 'foreign' }) | undefined
  /** The results of the submissions that it executed. All others in the slot are queued again. */
  executions: readonly Execution[]
}

/** What only an operator may change, while the server is stopped. Every method is one database transaction. */
export interface OperatorWrites {
  /** Settles an unsettled submission that the chain executed in a transaction that the store does not know. */
  settle(execution: Execution, place: Place): void
  /** Adds an executed request as a committed submission, so that its identities stay taken. */
  record(request: UnknownRequest, place: Place): void
  /** Ends open slots, and sets the account and the block from which the engine continues. */
  move(ends: readonly SlotEnd[], signer: Omit<SignerState, 'address'>): void
}

export function createOperatorWrites(connection: Connection, now: () => number = Date.now): OperatorWrites {
  const settle = connection.prepare(
    `UPDATE submission
     SET status = :status, sequence = :sequence, tx_id = :txId, transaction_hash = :transactionHash, height = :height,
         gas_used = :gasUsed, gas_wanted = :gasWanted, events = :events, error = coalesce(:error, error), updated_at = :now
     WHERE submission_id = :submissionId AND status IN ('queued', 'broadcast')`
  )
  const holdIdentity = connection.prepare(
    `INSERT INTO identity (key, position) SELECT :key, position FROM submission WHERE submission_id = :submissionId
     ON CONFLICT (key) DO UPDATE SET position = excluded.position
     WHERE (SELECT status FROM submission WHERE position = identity.position) = 'rejected'`
  )
  const insert = connection.prepare(
    `INSERT INTO submission
       (submission_id, content_hash, type_url, message, status, created_at, updated_at)
     VALUES (:submissionId, :contentHash, :typeUrl, :message, 'queued', :now, :now)`
  )
  const requeue = connection.prepare(
    `UPDATE submission SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = :now
     WHERE sequence = :sequence AND status = 'broadcast'`
  )
  const resolveSlot = connection.prepare(
    `UPDATE slot SET transaction_hash = :transactionHash, origin = :origin, height = :height
     WHERE sequence = :sequence AND origin IS NULL`
  )
  const deleteVariants = connection.prepare('DELETE FROM variant WHERE sequence = :sequence')
  const deleteSlot = connection.prepare('DELETE FROM slot WHERE sequence = :sequence AND origin IS NULL')
  const moveSigner = connection.prepare(
    `UPDATE signer SET chain_id = :chainId, account_number = :accountNumber, next_sequence = :nextSequence,
       cursor_height = :cursorHeight, cursor_hash = :cursorHash, probe_passed = :probePassed`
  )

  /** @param sequence the slot that executed it; null when the store does not have that slot */
  function write(execution: Execution, place: Place, sequence: number | null = null): void {
    const { submissionId, status } = execution
    const gas = status === 'committed' ? execution : { gasUsed: null, gasWanted: null }
    const { changes } = settle.run({
      submissionId,
      status,
      sequence,
      ...place,
      txId: status === 'committed' ? (execution.txId ?? null) : null,
      gasUsed: gas.gasUsed,
      gasWanted: gas.gasWanted,
      events: status === 'committed' ? JSON.stringify(execution.events) : null,
      error: status === 'rejected' ? JSON.stringify(execution.error) : null,
      now: now()
    })
    if (changes !== 1) throw new StoreConflictError(`${submissionId} is settled already`)
  }

  function end({ sequence, consumedBy, executions }: SlotEnd): void {
    if (consumedBy !== undefined) {
      const { transactionHash, height } = consumedBy
      for (const execution of executions) write(execution, { transactionHash, height }, sequence)
    }
    requeue.run({ sequence, now: now() })
    deleteVariants.run({ sequence })
    if (consumedBy === undefined) deleteSlot.run({ sequence })
    else resolveSlot.run({ sequence, ...consumedBy })
  }

  const atomically = (work: () => void): void => connection.transaction(work).immediate()

  return {
    settle: (execution, place) => write(execution, place),
    record: ({ identities, typeUrl, message, execution }, place) =>
      atomically(() => {
        const { submissionId } = execution
        const content = { typeUrl, message: Buffer.from(message), contentHash: contentHash(typeUrl, message) }
        insert.run({ submissionId, ...content, now: now() })
        for (const identity of identities) holdIdentity.run({ key: identityKey(identity), submissionId })
        write(execution, place)
      }),
    move: (ends, { accountNumber, probePassed, ...rest }) =>
      atomically(() => {
        for (const slotEnd of ends) end(slotEnd)
        moveSigner.run({ ...rest, accountNumber: String(accountNumber), probePassed: Number(probePassed) })
      })
  }
}
