import type { Refusal, Submission, SubmissionEvent, SubmissionRequest } from '../types.ts'

/** The wallet's account, and how far the chain was read for it. */
export interface SignerState {
  address: string
  chainId: string
  accountNumber: bigint
  /** The sequence number of the next slot. */
  nextSequence: number
  /** The newest block whose results were applied, and its hash. */
  cursorHeight: number
  cursorHash: string
}

/** A submission to take; the id is the one that a newly created submission gets. */
export interface IntakeRequest extends SubmissionRequest {
  submissionId: string
}

/** What an identity stands for already: the same content, or other content. */
export type JoinResult = { status: 'joined'; submission: Submission } | { status: 'conflict' }

export type IntakeResult = { status: 'created'; submission: Submission } | JoinResult

export interface QueuedMessage {
  submissionId: string
  typeUrl: string
  message: Uint8Array
  /** Transactions that it was part of and that were refused or failed without naming a culprit. */
  attempts: number
  /** Why the last of those failed. */
  suspicion: Refusal | undefined
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
  /** How many transactions these submissions were part of before that failed without naming a culprit. */
  attempts: number
}

/** What a block says of one submission whose slot it resolved. */
export type SubmissionOutcome = { submissionId: string } & (
  | {
      status: 'committed'
      /** Undefined when the chain did not report it, or not readably. */
      txId: number | undefined
      gasUsed: number
      gasWanted: number
      events: SubmissionEvent[]
    }
  | { status: 'rejected'; error: Refusal }
  /** Its slot was consumed without it; `suspicion` is why, unless something else is known to be the cause. */
  | { status: 'queued'; suspicion: Refusal | undefined }
)

/** A slot that a block has consumed. */
export interface SlotResolution {
  sequence: number
  /** The transaction that consumed it, ours or not. */
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
 * The durable state of the engine. Every method is one database transaction: when it resolves, its effect survives
 * a crash; when it throws, it had none. Safety rests on the keys: one slot per sequence, one slot per submission.
 */
export interface SubmissionStore {
  /** Takes many at once, each by the rules of identity (contract §4). Results are in the order of the requests. */
  take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]>
  /** What `take` would answer, where it would create nothing; undefined where it would. Changes nothing. */
  join(request: SubmissionRequest): Promise<JoinResult | undefined>
  find(submissionId: string): Promise<Submission | undefined>
  /** How many submissions are queued or in a slot. */
  countUnsettled(): Promise<number>
  signer(): Promise<SignerState | undefined>
  putSigner(state: SignerState): Promise<void>
  /** The oldest queued submissions, in the order of their intake. */
  queued(limit: number): Promise<QueuedMessage[]>
  /** The variants of all open slots, by sequence, within a slot in the order of their signing. */
  openVariants(): Promise<Variant[]>
  /**
   * Allocates the variant's sequence and binds its submissions to it.
   * @throws StoreConflictError when the sequence is not the next one or a submission is not queued any more
   */
  openSlot(variant: Variant): Promise<void>
  /** Adds signed bytes for a slot that is open. */
  addVariant(variant: Variant): Promise<void>
  /** Rejects a queued submission that was never signed. */
  reject(submissionId: string, error: Refusal): Promise<Submission>
  /**
   * Applies a block: results, requeued submissions, next sequence and cursor together.
   * @returns the submissions that are settled now
   * @throws StoreConflictError when the block is not the one after the cursor, or leaves a submission in a slot
   *   that it resolves
   */
  applyBlock(block: BlockOutcome): Promise<Submission[]>
  close(): Promise<void>
}

/** The stored state is not what the caller took it for; nothing was changed. */
export class StoreConflictError extends Error {
  override name = 'StoreConflictError'
}

/** A stored row is not what the engine writes. The message names the place and never the content. */
export class StoreCorruptError extends Error {
  override name = 'StoreCorruptError'

  /** @param row what the row is known by: a submissionId, or the key of another table */
  constructor(table: string, row: string, column: string) {
    super(`${table} ${row}: column ${column} does not hold what it must`)
  }
}
