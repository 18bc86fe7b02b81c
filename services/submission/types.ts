import type { Networks } from '../http/network-shares.ts'
import type { SubmissionEngine } from './engine.ts'
import type { Refusal, SubmissionEvent, toSubmission } from './store/rows.ts'

export type { Refusal, SubmissionEvent }

/** The parts of a submission that clients see (interface 7.7, 7.9, 7.10), as the store reads them. */
export type Submission = ReturnType<typeof toSubmission>

/** Executed by the chain, as read from a block. */
export type CommittedSubmission = Extract<Submission, { status: 'committed' }>

/** Refused by the chain, finally. */
export type RejectedSubmission = Extract<Submission, { status: 'rejected' }>

/**
 * What a submission is known by (interface 7.3): the feeId, the `Idempotency-Key`, and the `transactionIdSeed` of a card or
 * bank payment. A value of one kind never stands for the same value of another.
 */
export interface Identity {
  kind: 'fee' | 'key' | 'payment'
  value: string
}

/** A request to execute a message exactly once. */
export interface SubmissionRequest {
  identities: readonly Identity[]
  typeUrl: string
  /** The protobuf-encoded message. With the type URL it is the content that belongs to the identities. */
  message: Uint8Array
  /** Whose API key it came with; only they get the result of a retry (interface 24.5). */
  caller?: string
}

/** The request that a submission comes with. */
export interface Requester {
  /** Whose shares of the backlog the submission takes (interface 6.43). */
  networks: Networks
  /** For the log (interface 14.17). */
  requestId: string
}

/** A condition that stops the engine until somebody outside of it acts. */
export interface Blocker {
  kind: BlockerKind
  /** The chain's own text, for the log and the operator. */
  reason: string
  /** ISO 8601, UTC. */
  since: string
}

export const BLOCKER_KINDS = [
  /** No RPC node has answered since the start. */
  'node-unreachable',
  /** A new store: what the wallet has executed before is read from the chain (interface 7.23). */
  'looking-back',
  /** The chain does not know the wallet: its account has received nothing yet. */
  'wallet-unknown',
  /** The chain refuses all requests of this wallet (interface 17.4). */
  'wallet-not-whitelisted',
  /** The chain refuses requests that it passed before, whoever asks: a module of it is paused, for example. */
  'requests-refused',
  /** The wallet's signer does not sign: it is away, slow or throttled, or another key answers (interface 17.14). */
  'signer-unavailable',
  /** The wallet cannot pay its fees. */
  'insufficient-funds',
  /** A node requires a fee so far above the configured price that the wallet's owner must decide (interface 17.8). */
  'fee-too-high',
  /** Another transaction might take the fees of the day above `SERVICE_DAILY_FEE_LIMIT` (interface 17.10). */
  'daily-fee-limit',
  /** The chain does not accept the wallet's signature: the chain id or account number is another one. */
  'signature-refused',
  /** The chain refuses every transaction of the wallet, even a transfer to itself. */
  'transactions-refused',
  /** The node's chain, or its history, is not the one of the store. */
  'foreign-chain',
  /** Nodes expect a higher sequence: a transaction that the store does not know waits in a mempool (interface 7.24). */
  'unknown-transactions',
  /** The account has another next sequence than the store, and it cannot be corrected (interface 7.26). */
  'sequence-differs',
  /** No node has the next block any more: only a node with more history, or an operator's decision, helps. */
  'history-pruned',
  /** Nodes have different blocks, results or accounts of the wallet, and nothing says which are right (interface 7.25, 19.20). */
  'nodes-disagree'
] as const

export type BlockerKind = (typeof BLOCKER_KINDS)[number]

/** What is in signed transactions that no block contains yet. */
export interface InFlight {
  /** Sequences of the wallet. */
  slots: number
  submissions: number
}

/** The submission engine as the routes use it. */
export type SubmissionService = Omit<SubmissionEngine, 'start' | 'drain' | 'stop'>

/** The state of the engine, for operators. */
export type EngineHealth = ReturnType<SubmissionEngine['health']>
