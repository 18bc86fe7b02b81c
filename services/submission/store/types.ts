import type {
  CommittedSubmission,
  Identity,
  RejectedSubmission,
  Submission,
  SubmissionRequest
} from '../types.ts'
import type { StoreCorruptError } from './errors.ts'
import type { createStore } from './index.ts'
import type { toQueuedMessage, toReport, toSignedTx, toSignerState } from './rows.ts'

/** The wallet's account, and the cursor: the newest block that was read. */
export type SignerState = ReturnType<typeof toSignerState>

/** A queued submission, as it is packed. */
export type QueuedMessage = ReturnType<typeof toQueuedMessage>

/** Signed bytes for one slot. */
export type SignedTx = ReturnType<typeof toSignedTx>

/** What the leader knows and every replica reports. */
export type LeaderReport = Omit<ReturnType<typeof toReport>, 'ageMs'>

/** A request to accept; `submissionId` is used if a new submission is created. */
export interface IntakeRequest extends SubmissionRequest {
  submissionId: string
}

/** The result for identities that a submission holds: the same content joins it, other content is a conflict. */
export type JoinResult =
  | { status: 'joined'; submission: Submission }
  /** The kind of the first identity that is held by other content. */
  | { status: 'conflict'; kind: Identity['kind'] }
  /** Nobody can say what became of the submission that holds one of them. */
  | { status: 'damaged'; damage: StoreCorruptError }

export type IntakeResult = { status: 'created'; submission: Submission } | JoinResult

/** The outcome of one submission whose slot a block has consumed; `queued` where the block did not execute it. */
export type SubmissionOutcome = Execution | { submissionId: string; status: 'queued' }

/** The final outcome of a message that a transaction has executed. `txId` as in `CommittedSubmission`. */
export type Execution =
  | (Pick<CommittedSubmission, 'submissionId' | 'status' | 'gasUsed' | 'gasWanted' | 'events'> & {
      txId: number | undefined
    })
  | Pick<RejectedSubmission, 'submissionId' | 'status' | 'error'>

/** A request of the wallet in a successful transaction: executed, or refused by an event. */
export interface WalletRequest extends SubmissionRequest {
  /** Its `submissionId` is that of the submission that is created where no submission is found. */
  execution: Execution
  transactionHash: string
  height: number
}

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
  /** In milliseconds since the epoch. */
  time: number
  resolutions: SlotResolution[]
  /** What transactions have executed that the store does not know. */
  adoptions?: readonly WalletRequest[]
}

/** Which submissions to list; each that is given must hold (interface 24.7). */
export interface ListingFilter {
  statuses?: readonly Submission['status'][] | undefined
  caller?: string | undefined
  feeId?: string | undefined
  txId?: number | undefined
  /** Milliseconds since the epoch: accepted then or later. */
  from?: number | undefined
  /** Accepted before. */
  to?: number | undefined
  /** Those that follow this place. */
  after?: Place | undefined
}

/** A place in the order of a list: `createdAt` in milliseconds since the epoch. */
export interface Place {
  createdAt: number
  submissionId: string
}

/** A submission with the caller whose key it came with. */
export interface ListedSubmission {
  submission: Submission
  caller: string | undefined
}

export interface SubmissionPage {
  submissions: ListedSubmission[]
  /** Where the next page begins; undefined on the last one. */
  next: Place | undefined
}

/** A change of the store, by whichever replica. */
export type Notification =
  | { kind: 'queued' }
  /** There is a new report of the leader, and perhaps for the first time the wallet's account. */
  | { kind: 'reported' }
  /** The ids are left out where there are too many to name. */
  | { kind: 'settled'; submissionIds?: readonly string[] }
  /** The leader of that term has stepped down. */
  | { kind: 'stepped-down'; epoch: number }

/** A store in any database, without what not every one has. */
export type SubmissionStore = Omit<ReturnType<typeof createStore>, 'outbox'>
