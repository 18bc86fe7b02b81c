import type { LoopHealth } from '../../async/loop.ts'
import type { Blocker, Identity, Refusal, Submission, SubmissionEvent, SubmissionRequest } from '../types.ts'
import type { Term } from './engine-writes.ts'
import type { StoreCorruptError } from './errors.ts'
import type { DamageObserver } from './rows.ts'

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
  /** Whether the chain is known to pass the wallet's canary, so that its refusal is about the chain's state. */
  canaryPassed: boolean
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
  /** Nobody can say what became of the submission that holds one of them. */
  | { status: 'damaged'; damage: StoreCorruptError }

export type IntakeResult = { status: 'created'; submission: Submission } | JoinResult

export interface QueuedMessage {
  submissionId: string
  typeUrl: string
  message: Uint8Array
}

/**
 * Signed bytes for one slot. The ids are in the order of the transaction's messages; one is empty when another transaction has
 * settled its submission.
 */
export interface SignedTx {
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
  /** The slot was consumed without executing it. */
  | { status: 'queued' }
)

/** The final outcome of a message that a transaction has executed. */
export type Execution = Extract<SubmissionOutcome, { status: 'committed' | 'rejected' }>

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

/** What the leader knows and every replica reports. */
export interface LeaderReport {
  blockers: Blocker[]
  /** The workers that drive the wallet. */
  loops: LoopHealth[]
  /** Submissions committed without a readable transaction id since the leader's start (interface 7.14). */
  withoutTxId: number
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

/**
 * The durable state of the service as every replica uses it. Several replicas may share it; one at a time leads, and
 * changes what `EngineStore` has. Every method is one database transaction: when it resolves, its effect survives a crash;
 * when it throws, it had none, except with a StoreUncertainError. A method that reads rows throws StoreCorruptError for a
 * damaged one, unless its description says otherwise.
 */
export interface SubmissionStore {
  /**
   * Accepts many at once by the rules of identity (interface 7.3 to 7.6). A submission that is joined holds the request's
   * other identities too. Results are in the order of the requests. A call may be repeated with the same submissionIds:
   * what an earlier one created is `created` again.
   * @throws StoreUncertainError
   */
  take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]>
  /** The result that `take` would have if it creates nothing; undefined if it would create. Changes nothing. */
  join(request: SubmissionRequest): Promise<JoinResult | undefined>
  find(submissionId: string): Promise<Submission | undefined>
  /**
   * A page of up to `limit` submissions, the newest first. The order never changes, so that pages neither repeat nor leave out one.
   * @param onDamage called for each damaged row, which is left out of its page
   */
  list(filter: ListingFilter, limit: number, onDamage?: DamageObserver): Promise<SubmissionPage>
  /** Those of these submissions that are committed or rejected, in any order, without damaged ones. */
  findSettled(submissionIds: readonly string[]): Promise<Submission[]>
  /** The number of queued and broadcast submissions. */
  countUnsettled(): Promise<number>
  /** When the oldest of them was accepted, by the store's time; undefined when there is none. */
  oldestUnsettled(): Promise<number | undefined>
  /**
   * The fees that the wallet has paid on the UTC day of the newest block, in base units: those of own transactions in blocks of
   * that day, whether they succeeded or not.
   */
  feesPaidToday(): Promise<bigint>
  /** The wallet's account; undefined until a leader has stored it. */
  signer(): Promise<SignerState | undefined>
  /** The newest report of a leader, and how old it is in milliseconds; undefined before the first. */
  report(): Promise<(LeaderReport & { ageMs: number }) | undefined>
  /** The store's time in milliseconds since the epoch: all replicas that share the store write and compare times by it. */
  now(): number
  /**
   * Deletes up to `limit` submissions that were settled long ago, with their events, and up to `limit` resolved slots that are
   * older than every slot to which a submission still belongs. Open slots, unsettled submissions, and those with an undelivered
   * event stay. A clock that is wrong deletes nothing early: the time since is the shorter one of that by the store's clock and
   * that by the time of blocks.
   * @param keepMs for how long they stay
   * @returns how many of these it deleted; 0 when there are no more
   */
  forget(keepMs: number, limit: number): Promise<number>
  /** Calls back after each change. Notifications may be lost or repeated, so whoever waits also looks from time to time. */
  onNotification(listener: (notification: Notification) => void): void
  /**
   * Begins a term, unless another replica leads. Every write of an earlier term has happened by then, or never will.
   * @returns undefined while another replica leads
   */
  lead(): Promise<Term | undefined>
  close(): Promise<void>
}
