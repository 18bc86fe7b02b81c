import type { Identity, Refusal, Submission, SubmissionEvent, SubmissionRequest } from '../types.ts'

/** The wallet's account, and the cursor: the newest block that was read. */
export interface SignerState {
  address: string
  chainId: string
  accountNumber: bigint
  /** The sequence number of the next slot. */
  nextSequence: number
  /** The newest block whose results were applied, and its hash. */
  cursorHeight: number
  cursorHash: string
  /** Whether the chain is known to pass the wallet's probe, so that its refusal is about the chain's state. */
  probePassed: boolean
}

/** A request to accept; `submissionId` is used if a new submission is created. */
export interface IntakeRequest extends SubmissionRequest {
  submissionId: string
}

/** The result for identities that a submission holds: the same content joins it, other content is a conflict. */
export type JoinResult =
  | { status: 'joined'; submission: Submission }
  /** The kind of the first identity that is held by other content. */
  | { status: 'conflict'; kind: Identity['kind'] }

export type IntakeResult = { status: 'created'; submission: Submission } | JoinResult

export interface QueuedMessage {
  submissionId: string
  typeUrl: string
  message: Uint8Array
  /** How many transactions failed, or were refused, perhaps because of this message. */
  attempts: number
  /** How many of those had no other message. */
  loneFailures: number
  /** The most messages of the next transaction with it, after a failure; undefined before the first. */
  batchLimit: number | undefined
  /** Why the last of those transactions failed. */
  suspicion: Refusal | undefined
}

/** The failure of a transaction that one of its submissions may have caused. */
export interface Failure {
  refusal: Refusal
  /** Whether the submission was alone in a transaction that failed in a block. */
  alone: boolean
  /** The most messages of the next transaction with the submission, at least 1. */
  batchLimit: number
}

/** Signed bytes for one slot. The ids are in the order of the transaction's messages. */
export interface Variant {
  hash: string
  sequence: number
  bytes: Uint8Array
  gasLimit: number
  /** In base units of the fee denom. */
  feeAmount: bigint
  submissionIds: string[]
}

/** The outcome of one submission whose slot a block has consumed. */
export type SubmissionOutcome = { submissionId: string } & (
  | {
      status: 'committed'
      /** Undefined when the chain did not report it readably (interface 7.14). */
      txId: number | undefined
      gasUsed: number
      gasWanted: number
      events: SubmissionEvent[]
    }
  | { status: 'rejected'; error: Refusal }
  /** The slot was consumed without executing it; `failure` is set when it may be the cause. */
  | { status: 'queued'; failure: Failure | undefined }
)

/** A slot that a block has consumed. */
export interface SlotResolution {
  sequence: number
  /** The transaction that consumed the slot. */
  transactionHash: string
  origin: 'own' | 'foreign'
  outcomes: SubmissionOutcome[]
}

export interface BlockOutcome {
  height: number
  hash: string
  resolutions: SlotResolution[]
}

/**
 * The durable state of the engine. Every method is one database transaction: when it resolves, its effect survives a
 * crash; when it throws, it had none. The keys guarantee one slot per sequence and one slot per submission. Every method
 * that reads rows throws StoreCorruptError for a damaged one.
 */
export interface SubmissionStore {
  /**
   * Accepts many at once by the rules of identity (interface 7.3 to 7.6). A submission that is joined holds the request's
   * other identities too. Results are in the order of the requests.
   */
  take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]>
  /** The result that `take` would have if it creates nothing; undefined if it would create. Changes nothing. */
  join(request: SubmissionRequest): Promise<JoinResult | undefined>
  find(submissionId: string): Promise<Submission | undefined>
  /** The number of queued and broadcast submissions. */
  countUnsettled(): Promise<number>
  /** When the oldest of them was accepted, in milliseconds since the epoch; undefined when there is none. */
  oldestUnsettled(): Promise<number | undefined>
  signer(): Promise<SignerState | undefined>
  putSigner(state: SignerState): Promise<void>
  /** Records that the chain passes the wallet's probe. */
  setProbePassed(): Promise<void>
  /** The oldest queued submissions, oldest first. */
  queued(limit: number): Promise<QueuedMessage[]>
  /** The variants of all open slots in sequence order, within a slot oldest first. */
  openVariants(): Promise<Variant[]>
  /**
   * Opens a slot for the variant's sequence and binds its submissions to it.
   * @throws StoreConflictError when the sequence is not the next one or a submission is not queued
   */
  openSlot(variant: Variant): Promise<void>
  /** Adds a variant to an open slot. */
  addVariant(variant: Variant): Promise<void>
  /** Rejects a queued submission, which is in no open slot. @throws StoreConflictError when it is not queued */
  reject(submissionId: string, error: Refusal): Promise<Submission>
  /**
   * Applies consecutive blocks: outcomes, resolved slots, next sequence and cursor together.
   * @returns the submissions that they settled
   * @throws StoreConflictError when a block is not the one after the cursor, or when a submission of a resolved slot
   *   has no outcome
   */
  applyBlocks(blocks: readonly BlockOutcome[]): Promise<Submission[]>
  /**
   * Deletes up to `limit` submissions that were settled before a time, and up to `limit` resolved slots that are older than
   * every slot to which a submission still belongs. Open slots and unsettled submissions stay.
   * @param before milliseconds since the epoch
   * @returns how many submissions and slots it deleted; 0 when there are no more
   */
  forget(before: number, limit: number): Promise<number>
  close(): Promise<void>
}

/** The stored state is not the one that the caller expected; nothing was changed. */
export class StoreConflictError extends Error {
  override name = 'StoreConflictError'
}

/** A stored row is damaged. The message names table, row and column, never the content. */
export class StoreCorruptError extends Error {
  override name = 'StoreCorruptError'

  /** @param row the submissionId, or the key of another table */
  constructor(table: string, row: string, column: string) {
    super(`stored ${table} ${row} is damaged: column ${column}`)
  }
}
