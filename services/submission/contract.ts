import type { Poller } from '../async/poller.ts'
import type { QuoteStore } from '../quotes/contract.ts'
import type { StoreCorruptError } from './errors.ts'

// The interface that the engine offers to routes, metrics and readiness, and those that it needs: a store, the chain
// and a signer.

export type { ChainClient as Chain } from '../chain-client/contract.ts'
export type { Signer } from '../wallet/signer.ts'

/** The reason for which the chain refused a message: its own code, codespace and shortened log. */
export interface Refusal {
  code: number
  codespace: string
  message: string
}

export type RequestKind = 'transfer' | 'swap'

/** The kind of a submission's message: a request, the registration of a lock of bitcoins, or the reclaim of one. */
export type MessageKind = RequestKind | 'lock' | 'reclaim'

/** A chain event, as in the submit response (interface 6.22). */
export interface SubmissionEvent {
  type: string
  attributes: { key: string; value: string }[]
}

/** Times are in ISO 8601, UTC. */
interface Accepted {
  submissionId: string
  createdAt: string
  /** When the status last changed. */
  updatedAt: string
}

/** Settled: a block contains the message in a successful transaction. */
export interface CommittedSubmission extends Accepted {
  status: 'committed'
  /** The chain's sequential transaction id; missing if the chain did not report a readable id (interface 7.14). */
  txId?: number
  transactionHash: string
  height: number
  /** The gas of the whole chain transaction, which other submissions can share. */
  gasUsed: number
  gasWanted: number
  /** The events of this submission's own message. */
  events: SubmissionEvent[]
}

/** Settled: the chain has finally refused the message. */
export interface RejectedSubmission extends Accepted {
  status: 'rejected'
  error: Refusal
  /** Set if a block contains the refusal, like the height. */
  transactionHash?: string
  height?: number
}

/** The client-visible parts of a submission (interface 7.7, 7.9). */
export type Submission =
  /** The submission is not in an open slot. */
  | (Accepted & { status: 'queued' })
  /**
   * The submission is in an open slot. The hash is that of its newest transaction with the message, which might not
   * have been sent yet.
   */
  | (Accepted & { status: 'broadcast'; transactionHash: string })
  | CommittedSubmission
  | RejectedSubmission

/**
 * Identifies a submission (interface 7.3): the feeId of a crypto origin, the `transactionIdSeed` of a card or bank
 * payment, the `Idempotency-Key`, the output of a lock of bitcoins, its registration or its return. Equal values of different kinds are different identities.
 */
export type Identity =
  | { kind: 'fee' | 'key' | 'lock' | 'registration' | 'reclaim'; value: string }
  /** `target` is the hash of the payment's target. A refused payment may go to no other (interface 7.29). */
  | { kind: 'payment'; value: string; target: string }

export interface SubmissionRequest {
  identities: readonly Identity[]
  /** The feeId of its quote, for lists and the log. Several payments of a rail can use one quote. */
  feeId?: string | undefined
  typeUrl: string
  /** The protobuf-encoded message: with the type URL, the content that is bound to the identities. */
  message: Uint8Array
  /** The owner of the API key. Only this caller gets the result on a retry (interface 24.5). */
  caller?: string
  /** Another request, accepted along with this one, and executed before it. If that is rejected, so is this one. */
  follows?: SubmissionRequest
  /** The refused payments that the caller may send to another target (interface 7.29): its own, or all. */
  mayRedirect?: 'own' | 'all'
}

export interface Requester {
  /** The owner of the share of the backlog that the submission uses; undefined without an API key (interface 6.43). */
  shareOf?: string | undefined
  /** The id of the HTTP request, for the log. */
  requestId: string
}

/** A condition that keeps the engine from executing submissions, or a notice. */
export interface Blocker {
  kind: BlockerKind
  reason: string
  /** ISO 8601, UTC. */
  since: string
}

/** The kinds of blockers, which `decide/blockers.ts` describes. */
export const BLOCKER_KINDS = [
  'wallet-unknown',
  'account-unsupported',
  'wallet-not-whitelisted',
  'signer-unavailable',
  'insufficient-funds',
  'fee-too-high',
  'price-refused',
  'daily-fee-limit',
  'signature-refused',
  'transactions-refused',
  'node-unreachable',
  'looking-back',
  'catching-up',
  'foreign-chain',
  'history-pruned',
  'results-unreadable',
  'nodes-disagree',
  'unknown-transactions',
  'sequence-differs',
  'requests-refused',
  'simulations-refused',
  'gas-too-high',
  'transactions-ignored',
  'store-unavailable',
  'store-corrupt',
  'internal-error',
  'executions-differ',
  'results-differ',
  'verification-behind',
  'low-balance',
  'fees-risen',
  'wallet-shared'
] as const

export type BlockerKind = (typeof BLOCKER_KINDS)[number]

/** A present or recent blocker, for the operator's webhooks. Times are in milliseconds. */
export interface NoticeState {
  kind: BlockerKind
  reason: string
  since: number
  /** When the blocker was first absent; undefined while it is present. */
  awaySince?: number
  /** Whether its webhook has been queued. */
  isSent: boolean
}

/** An event for the operator. */
export interface Notice extends Pick<NoticeState, 'kind' | 'reason' | 'since'> {
  type: 'wallet.low_balance' | 'service.blocked' | 'service.unblocked'
}

/** The engine's state for operators. */
export interface EngineHealth extends LeaderReport {
  /** The newest block whose results were applied. */
  height: number | undefined
  /** The newest block that nodes report. */
  newestHeight: number | undefined
  /** Milliseconds since the leader's last report; 0 in the leader's own process. */
  leaderSilentMs: number
  /** Slots that no block has consumed yet; undefined unless this process leads. */
  openSlots: number | undefined
  unsettled: number
}

/** The engine: executes each accepted submission on the chain exactly once (interface 7.1, 7.2). */
export interface SubmissionService {
  /**
   * Accepts a submission, and resolves once it is durable. A retry with any of the identities and the same content
   * returns the existing submission (interface 7.4), even while intake is closed (interface 6.29).
   * @param requester omit it to skip the per-client limit
   * @throws IdentityTakenError if an identity belongs to different content (interface 7.5)
   * @throws ServiceError SUBMISSION_UNKNOWN if it is unknown whether the submission was accepted (interface 6.42)
   * @throws ServiceError with status 503, or BACKLOG_SHARE, if nothing was accepted (interface 6.28)
   */
  submit(request: SubmissionRequest, requester?: Partial<Requester>): Promise<Submission>
  /**
   * Returns whether `submit` would return an existing submission.
   * @throws IdentityTakenError if an identity belongs to different content (interface 7.5)
   * @throws ServiceError with status 503 if it cannot be determined whether the content was accepted
   */
  isAccepted(request: SubmissionRequest): Promise<boolean>
  /** @throws ServiceError STORE_UNAVAILABLE, SUBMISSION_DAMAGED */
  find(submissionId: string): Promise<Submission | undefined>
  /** Reports the changes of a submission. */
  watch: Poller<Submission>['watch']
  /** Lists submissions, newest first, without damaged ones. @throws like `find` */
  list(filter: ListingFilter, limit: number): Promise<SubmissionPage>
  /**
   * Returns the submission once it is settled, or its state after `timeoutMs`.
   * @param known the submission, if it was just stored or read: while it is queued, it need not be read again
   * @throws StoreUnavailableError; ServiceError SUBMISSION_DAMAGED
   */
  settled(submissionId: string, timeoutMs: number, known?: Submission): Promise<Submission>
  health(): EngineHealth
}

export interface SubmissionEngine extends SubmissionService {
  /** Returns even if no node responds. @throws StoreOwnerError, ForeignChainError, StoreCorruptError */
  start(): Promise<void>
  /** Resolves once no client is waiting for a result, or after 10 seconds. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** The wallet's account, and the cursor: the last block whose results were applied. */
export interface WalletState {
  address: string
  chainId: string
  accountNumber: bigint
  /** The sequence of the next slot. */
  nextSequence: number
  cursorHeight: number
  cursorHash: string
  /** The hash of that block's results, which the next block's header has to confirm. */
  cursorResultsHash: string
  /**
   * Whether the control request has passed twice in a row. If so, the chain's state is the cause of a later refusal.
   */
  controlPassed: boolean
}

export interface QueuedMessage {
  submissionId: string
  typeUrl: string
  message: Uint8Array
  /** The queued submission that must be executed first, or before it in the same transaction. */
  waitsFor?: string | undefined
}

/** A submission that the engine has settled. */
export type Settled = Submission & { kind: MessageKind }

export interface SignedTx {
  /** SHA-256 of `bytes`, in upper-case hex. */
  hash: string
  sequence: number
  bytes: Uint8Array
  gasLimit: number
  /** In base units of the fee denomination. */
  feeAmount: bigint
  /** In message order. An id is empty if another transaction has settled the submission. */
  submissionIds: string[]
}

/** A sequence number of the wallet that no block has consumed. The chain executes at most one of the transactions. */
export interface Slot {
  sequence: number
  /** Newest last. */
  signedTxs: SignedTx[]
}

/** The leader's report, which every replica serves to operators. */
export interface LeaderReport {
  blockers: Blocker[]
  /** Submissions committed without a readable transaction id since the leader's process started (interface 7.14). */
  withoutTxId: number
  /** Undefined until the leader compares blocks. */
  verification?: Verification | undefined
}

/** The findings and the position of the comparison of the store with the blocks, since it began with this account. */
export interface Verification {
  /** The last compared block. */
  height: number
  /** The number of settled submissions whose stored results match the chain. */
  proven: number
  /** The number of blocks that were not compared because no node had them. */
  pruned: number
  /** The blocks that differ from the store, with the number of their differences. */
  differing: { height: number; count: number }[]
}

export interface ComparableStore {
  /**
   * Returns the submissions that the store has in this block, and those that share a transaction or an identity with
   * one of `requests`. Damaged rows are returned separately.
   */
  comparable(
    block: { height: number; time: number },
    requests: readonly WalletRequest[]
  ): Promise<{ stored: (QueuedMessage & { submission: Submission })[]; damages: StoreCorruptError[] }>
}

/** A request to accept. If it creates a submission, that submission gets the request's `submissionId`. */
export interface IntakeRequest extends SubmissionRequest {
  submissionId: string
  /** The id of the HTTP request, for support. */
  requestId?: string | undefined
}

/**
 * The result for identities that already belong to a submission: that submission for the same content, otherwise a
 * conflict.
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

/** A request of the wallet in a block. */
export interface WalletRequest extends SubmissionRequest {
  /**
   * If a submission is created for the request, it gets the `submissionId` of this execution. Undefined if the
   * transaction failed: nothing was executed, but everybody can read the seeds of its payments.
   */
  execution: Execution | undefined
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
  resultsHash: string
  /** In milliseconds since the epoch. */
  time: number
  resolutions: SlotResolution[]
  /** Requests in transactions that are not in the store. */
  adoptions?: readonly WalletRequest[]
}

/** The conditions of a list of submissions. All given conditions apply (interface 24.7). */
export interface ListingFilter {
  statuses?: readonly Submission['status'][] | undefined
  caller?: string | undefined
  feeId?: string | undefined
  txId?: number | undefined
  /** An id, transaction hash, feeId, payment seed, address or webhook id of the submissions. */
  identifier?: string | undefined
  /** Accepted at or after this time, in milliseconds since the epoch. */
  from?: number | undefined
  /** Accepted before this time. */
  to?: number | undefined
  after?: Place | undefined
}

/** A submission's place in the list. `createdAt` is in milliseconds since the epoch. */
export interface Place {
  createdAt: number
  submissionId: string
}

/** A submission with the fields that are compared with a retry. */
export interface Holder {
  submission: Submission
  contentHash: Uint8Array
  /** Undefined if the content is damaged. */
  content: () => Pick<SubmissionRequest, 'typeUrl' | 'message'> | undefined
  /** The owner of the API key with which the submission was made. */
  caller?: string
}

export interface SubmissionPage {
  submissions: Holder[]
  /** Where the next page begins; undefined on the last page. */
  next: Place | undefined
}

/** An intent to lock bitcoins (interface 26.5). */
export interface BitcoinLock {
  lockId: string
  /** The caller that made it with an API key. Only this caller may use it. */
  caller?: string | undefined
  /** Where to send the amount. No other intent has it. */
  address: string
  /** When the sender can take the amount back, in milliseconds since the epoch. The intent is deleted then. */
  expiresAt: number
  terms: {
    senderAddress: string
    senderPubkey: string
    recipientAddress: string
    poolAddress: string
    amountSats: number
    /** Hex. */
    outputScript: string
  }
  /** The recorded output: the transaction's id, a colon and the output's index. */
  outpoint?: string
}

/** The lock intents in a store. */
export interface BitcoinLockStore {
  /** Stores an intent, unless its address is taken, or the client (interface 14.10) or the wallet has too many. */
  putLock(lock: BitcoinLock & { client: string }): Promise<'stored' | 'taken' | 'client-full' | 'full'>
  /** Returns an intent that has not expired. */
  findLock(lockId: string): Promise<BitcoinLock | undefined>
  /** Records an output in place of `before`. @returns false if another output was recorded meanwhile */
  recordLock(lockId: string, outpoint: string, before: string | undefined): Promise<boolean>
  /** Deletes up to `limit` expired intents. @returns their number */
  forgetLocks(limit: number): Promise<number>
}

/** A change to the store. */
export type Notification =
  | { kind: 'queued' }
  /** The ids are omitted if there are too many of them. */
  | { kind: 'settled'; submissionIds?: readonly string[] }

/** Called for each row that is left out because it is damaged. */
export type DamageObserver = (damage: StoreCorruptError) => void

/**
 * The durable state of the service. Several replicas may share it. One of them leads at a time, and only the leader uses
 * `EngineStore`. Every method is one database transaction: if it resolves, its effect survives a crash; if it throws
 * anything but a StoreUncertainError, it had no effect. Every method throws StoreUnavailableError while the database is
 * unavailable. A method that reads rows throws StoreCorruptError for a damaged row, unless its comment states otherwise.
 */
export interface SubmissionStore extends QuoteStore, BitcoinLockStore {
  /**
   * Accepts a batch. An existing submission also gets the request's other identities, up to 8 in all. Results are in
   * request order. A repeated call reports the submissions that an earlier one created as `created` again.
   * @throws StoreUncertainError if it is unknown whether the batch was stored
   */
  take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]>
  /** Returns the result of `take`, or undefined if `take` would create a submission. Changes nothing. */
  join(request: SubmissionRequest): Promise<JoinResult | undefined>
  /** The clock of all replicas that share the store, in milliseconds since the epoch. */
  now(): number
  /** Notifications can be lost or repeated, so callers must poll as well. */
  onNotification(listener: (notification: Notification) => void): void
  find(submissionId: string): Promise<Submission | undefined>
  /** Returns submissions, newest first, in an order that never changes, without damaged ones. */
  list(filter: ListingFilter, limit: number, onDamage?: DamageObserver): Promise<SubmissionPage>
  /** Returns the kind of the committed submission with a transaction id. If there are two, a transfer precedes a swap. */
  kindOf(txId: number): Promise<RequestKind | undefined>
  /** Returns the lock of bitcoins that the submission with a transaction id uses. */
  lockOf(txId: number): Promise<{ txHash: string; senderAddress: string } | undefined>
  /** Returns these submissions, if settled, in any order, without damaged ones. */
  findSettled(submissionIds: readonly string[]): Promise<Submission[]>
  countUnsettled(): Promise<number>
  /**
   * Returns when the oldest unsettled submission was accepted, in the store's time. First checks that the store is
   * writable.
   */
  oldestUnsettled(): Promise<number | undefined>
  /** The fees of our transactions in blocks of the newest block's UTC day, in base units. */
  feesPaidToday(): Promise<bigint>
  /** Undefined until a leader has stored the account. */
  walletState(): Promise<WalletState | undefined>
  /** The leader's newest report, with its age. */
  report(): Promise<(LeaderReport & { ageMs: number }) | undefined>
  /**
   * Deletes up to `limit` submissions that were settled long ago by both the store's clock and block times, with their
   * events, and up to `limit` resolved slots older than every slot that still has a submission. Keeps submissions with
   * an undelivered event, and remembers the target of a refused payment (interface 7.29).
   * @returns the number of deleted submissions and slots; 0 if none is left to delete
   */
  forget(keepMs: number, limit: number): Promise<number>
  /**
   * Begins a term, unless another replica leads. Once the new term has begun, every write of an earlier term has either
   * taken effect or never will.
   */
  lead(): Promise<Term | undefined>
  close(): Promise<void>
}

/** The right to lead the wallet until another replica takes over. */
export interface Term {
  /** Increases with each term of the wallet. */
  epoch: number
  store: EngineStore
  /** True if no other process can lead. */
  isAlone?: true
  /** Aborted once the term is known to have ended, or its lock to be lost. The signal might come late or never. */
  ended: AbortSignal
  stepDown(): Promise<void>
}

/**
 * The part of the store that only the leader changes, by the rules of `SubmissionStore`. There is one slot per sequence
 * and one slot per submission. A write throws TermEndedError once this term has ended or a newer one has begun, and can
 * throw StoreUncertainError. After the end of the term, reads can be stale.
 */
export interface EngineStore extends ComparableStore {
  putWalletState(state: WalletState): Promise<void>
  /** @throws StoreConflictError if `from` is not the next sequence, or if a slot is open */
  correctSequence(from: number, to: number): Promise<void>
  setControlPassed(): Promise<void>
  /**
   * Returns queued messages, oldest first. Omits a message whose predecessor is in a slot, or in the newest block,
   * whose results might be wrong.
   * @param without the ids of messages to omit, together with those that wait for them
   */
  queued(limit: number, without?: readonly string[]): Promise<QueuedMessage[]>
  /**
   * Ordered by sequence and age, oldest first.
   * @throws StoreCorruptError if a row is damaged, or contradicts the open slots or their submissions
   */
  openSignedTxs(): Promise<SignedTx[]>
  /** @throws StoreConflictError if the sequence is not the next one, or if a submission is not queued */
  openSlot(signedTx: SignedTx): Promise<void>
  /** Adds a transaction to an open slot. */
  addSignedTx(signedTx: SignedTx): Promise<void>
  /**
   * @returns the submission, and those that follow it
   * @throws StoreConflictError unless the submission is queued, and therefore not in a slot
   */
  reject(submissionId: string, error: Refusal): Promise<Settled[]>
  /**
   * Applies a block.
   * @returns the submissions that the block settled, except those that an adoption created
   * @throws StoreConflictError if the block does not follow the cursor, or if a submission of a resolved slot has no
   *   outcome
   */
  applyBlock(block: BlockOutcome): Promise<Settled[]>
  /**
   * Moves the cursor back, so that the blocks after it are read and applied again. Reopens the slots that the last
   * block resolved, with their submissions, because the results of that block were wrong.
   */
  stepBack(cursor: Pick<BlockOutcome, 'height' | 'hash' | 'resultsHash'>): Promise<void>
  /**
   * Adopts the requests of a block in transactions that are not in the store, by the identity rules (interface 7.3 to
   * 7.6, 7.29). Blocks are adopted newest first. If a request settles a submission in a slot, an empty id replaces the
   * submission there.
   * @returns the settled submissions
   */
  adopt(requests: readonly WalletRequest[]): Promise<Settled[]>
  putReport(report: LeaderReport): Promise<void>
  /** Undefined before the first `putVerification` of this account, or if the row is damaged. */
  verification(): Promise<Verification | undefined>
  putVerification(verification: Verification): Promise<void>
  notices(): Promise<NoticeState[]>
  /** Replaces the state, and writes the events if there is a receiver. An event that exists is not written again. */
  putNotices(state: readonly NoticeState[], notices: readonly Notice[]): Promise<void>
}
