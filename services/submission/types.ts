/** What a client may learn of a submission (contract §4). */

export interface EventAttribute {
  key: string
  value: string
}

/** A chain event, as the submit answer shows it. */
export interface SubmissionEvent {
  type: string
  attributes: EventAttribute[]
}

/** Why the chain refused a submission: its own code, codespace and text. */
export interface Refusal {
  code: number
  codespace: string
  message: string
}

interface SubmissionBase {
  submissionId: string
  /** ISO 8601, UTC. */
  createdAt: string
  updatedAt: string
}

/** Taken, durable, not yet bound to a slot. */
export interface QueuedSubmission extends SubmissionBase {
  status: 'queued'
}

/** Bound to a slot; its signed bytes are stored and are, or will be, before the chain. */
export interface BroadcastSubmission extends SubmissionBase {
  status: 'broadcast'
  /** Hash of the newest signed transaction that holds it, upper-case hex. */
  transactionHash: string
}

/** Executed by the chain, as read from a block. */
export interface CommittedSubmission extends SubmissionBase {
  status: 'committed'
  /** The chain's sequential transaction id; missing when the chain did not report it, or not readably. */
  txId?: number
  transactionHash: string
  height: number
  /** Gas of the whole chain transaction, which other submissions may share. */
  gasUsed: number
  gasWanted: number
  /** The events of this submission's own message. */
  events: SubmissionEvent[]
}

/** Refused by the chain, for good. The hash and the height are there when a block holds the refusal. */
export interface RejectedSubmission extends SubmissionBase {
  status: 'rejected'
  error: Refusal
  transactionHash?: string
  height?: number
}

export type Submission = QueuedSubmission | BroadcastSubmission | CommittedSubmission | RejectedSubmission

/** What is to be put on the chain exactly once. */
export interface SubmissionRequest {
  /** `Idempotency-Key` when the client sent one, else the feeId, each with a prefix that tells them apart. */
  identity: string
  typeUrl: string
  /** The protobuf-encoded message; with the type URL it is the content that an identity stands for. */
  message: Uint8Array
}

/** What keeps the engine from its work and needs somebody outside of it. */
export interface Impediment {
  kind: ImpedimentKind
  /** The chain's own words, for the log and the operator. */
  reason: string
  /** ISO 8601, UTC. */
  since: string
}

export type ImpedimentKind =
  /** No RPC node has answered since the start. */
  | 'node-unreachable'
  /** The chain does not know the wallet: nobody has sent it anything yet. */
  | 'wallet-unknown'
  /** The chain does not take this wallet's requests (spec §1.3). */
  | 'wallet-not-whitelisted'
  /** The wallet cannot pay its fees. */
  | 'insufficient-funds'
  /** A node asks for a fee so far above the configured price that the wallet's owner must have a look. */
  | 'fee-too-high'
  /** The chain does not accept the wallet's signature: another chain id or account number than expected. */
  | 'signature-refused'
  /** The chain refuses whatever the wallet signs, a transfer to itself included. */
  | 'transactions-refused'
  /** The node follows another chain, or another history of it, than the store was written for. */
  | 'foreign-chain'

/** How the engine is, for operators. */
export interface EngineHealth {
  /** What keeps it from its work; empty when nothing does. */
  impediments: Impediment[]
  /** The newest block that was read; undefined before the first. */
  height: number | undefined
  /** Submissions that wait for the chain. */
  unsettled: number
  /** Submissions that were committed without a readable transaction id, since the start. */
  withoutTxId: number
}

/** The submission engine as the routes see it. */
export interface SubmissionService {
  /**
   * Takes a submission; resolves once it is durable. The same identity with the same content joins the
   * submission that exists.
   * @throws QuoteAlreadyUsedError when the identity stands for other content
   * @throws IntakeClosedError when nothing was taken: shutting down, store unavailable, backlog full
   */
  submit(request: SubmissionRequest): Promise<Submission>
  /** Waits until the submission is committed or rejected; after `timeoutMs` answers what it is by then. */
  settled(submissionId: string, timeoutMs: number): Promise<Submission>
  find(submissionId: string): Promise<Submission | undefined>
  health(): EngineHealth
}
