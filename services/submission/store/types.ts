import type {
  CommittedSubmission,
  Identity,
  RejectedSubmission,
  Submission,
  SubmissionRequest
} from '../types.ts'
import type { StoreCorruptError } from './errors.ts'
import type { createStore } from './index.ts'
import type { Holder, toPlace, toQueuedMessage, toReport, toSignedTx, toWalletState } from './rows.ts'

/** The wallet's account, and the cursor: the last block whose results were applied. */
export type WalletState = ReturnType<typeof toWalletState>

export type QueuedMessage = ReturnType<typeof toQueuedMessage>

export type SignedTx = ReturnType<typeof toSignedTx>

/** The leader's report, which every replica serves to operators. */
export type LeaderReport = Omit<ReturnType<typeof toReport>, 'ageMs'>

/** A request to accept. If it creates a submission, that submission gets the request's `submissionId`. */
export interface IntakeRequest extends SubmissionRequest {
  submissionId: string
}

/**
 * The result for identities that already belong to a submission: the same content joins the submission, different
 * content is a conflict.
 */
export type JoinResult =
  | { status: 'joined'; submission: Submission }
  /** The kind of the first identity that belongs to different content. */
  | { status: 'conflict'; kind: Identity['kind'] }
  /** The submission of one of the identities is unreadable. */
  | { status: 'damaged'; damage: StoreCorruptError }

export type IntakeResult = { status: 'created'; submission: Submission } | JoinResult

/** The outcome of a submission in a consumed slot; `queued` if the block did not execute the submission. */
export type SubmissionOutcome = Execution | { submissionId: string; status: 'queued' }

/** The final outcome of a message in a successful transaction. */
export type Execution =
  | (Pick<CommittedSubmission, 'submissionId' | 'status' | 'gasUsed' | 'gasWanted' | 'events'> & {
      txId: number | undefined
    })
  | Pick<RejectedSubmission, 'submissionId' | 'status' | 'error'>

/** A request of the wallet in a successful transaction: executed, or refused by an event. */
export interface WalletRequest extends SubmissionRequest {
  /** If a submission is created for the request, it gets the `submissionId` of this execution. */
  execution: Execution
  transactionHash: string
  height: number
}

export interface SlotResolution {
  sequence: number
  transactionHash: string
  origin: 'own' | 'foreign'
  outcomes: SubmissionOutcome[]
}

export interface BlockOutcome {
  height: number
  hash: string
  /** In milliseconds since the epoch. */
  time: number
  resolutions: SlotResolution[]
  /** Requests executed by transactions that are not in the store. */
  adoptions?: readonly WalletRequest[]
}

/** The conditions of a list of submissions. All given conditions apply (interface 24.7). */
export interface ListingFilter {
  statuses?: readonly Submission['status'][] | undefined
  caller?: string | undefined
  feeId?: string | undefined
  txId?: number | undefined
  /** Accepted at or after this time, in milliseconds since the epoch. */
  from?: number | undefined
  /** Accepted before this time. */
  to?: number | undefined
  after?: Place | undefined
}

/** `createdAt` is in milliseconds since the epoch. */
export type Place = ReturnType<typeof toPlace>

export interface SubmissionPage {
  submissions: Holder[]
  /** Where the next page begins; undefined on the last page. */
  next: Place | undefined
}

/** A change to the store. */
export type Notification =
  | { kind: 'queued' }
  /** The leader's report has changed, and perhaps also the wallet's account. */
  | { kind: 'reported' }
  /** The ids are omitted if there are too many of them. */
  | { kind: 'settled'; submissionIds?: readonly string[] }
  | { kind: 'stepped-down'; epoch: number }

/** Without `outbox`, which exists only with webhooks. */
export type SubmissionStore = Omit<ReturnType<typeof createStore>, 'outbox'>
