import type { Networks } from '../http/network-shares.ts'
import type { SubmissionEngine } from './engine.ts'
import type { Refusal, SubmissionEvent, toSubmission } from './store/rows.ts'

export type { Refusal, SubmissionEvent }

/**
 * The client-visible parts of a submission (interface 7.7, 7.9). Its status:
 * - `queued`: accepted, but not in an open slot;
 * - `broadcast`: in an open slot, whose signed bytes are stored. The bytes might not have been sent yet;
 * - `committed` or `rejected`: settled.
 */
export type Submission = ReturnType<typeof toSubmission>

/** The form for clients and webhook receivers (interface 7.9). `code` would be the code of a service error. */
export function viewOf<T extends Submission>(submission: T) {
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  return { ...submission, error: { chainCode: code, codespace, message } }
}

export type CommittedSubmission = Extract<Submission, { status: 'committed' }>

export type RejectedSubmission = Extract<Submission, { status: 'rejected' }>

/**
 * Identifies a submission (interface 7.3): the feeId, the `Idempotency-Key`, or the `transactionIdSeed` of a card or
 * bank payment. Equal values of different kinds are different identities.
 */
export interface Identity {
  kind: 'fee' | 'key' | 'payment'
  value: string
}

export interface SubmissionRequest {
  identities: readonly Identity[]
  typeUrl: string
  /** The protobuf-encoded message: with the type URL, the content that is bound to the identities. */
  message: Uint8Array
  /** The owner of the API key. Only this caller gets the result on a retry (interface 24.5). */
  caller?: string
}

export interface Requester {
  /** The networks whose backlog shares the submission uses (interface 6.43). */
  networks: Networks
  /** For the log. */
  requestId: string
}

/** A condition that stops the engine until someone outside the engine acts. */
export interface Blocker {
  kind: BlockerKind
  reason: string
  /** ISO 8601, UTC. */
  since: string
}

export const BLOCKER_KINDS = [
  /** No RPC node has responded since startup. */
  'node-unreachable',
  /** The store is new: the engine reads the wallet's earlier transactions from the chain (interface 7.23). */
  'looking-back',
  /** The wallet has no account on the chain, because it has never received funds. */
  'wallet-unknown',
  /** The chain refuses all requests of this wallet (interface 17.4). */
  'wallet-not-whitelisted',
  /** The chain refuses requests that it accepted before, for example because a module is paused. */
  'requests-refused',
  /** The signer fails: it is down, slow, throttled or has a different key (interface 17.14). */
  'signer-unavailable',
  /** The wallet cannot pay its fees. */
  'insufficient-funds',
  /** A node requires a fee above the highest allowed one (interface 17.8). */
  'fee-too-high',
  /** The next transaction could exceed `SERVICE_DAILY_FEE_LIMIT` (interface 17.10). */
  'daily-fee-limit',
  /** The chain rejects the wallet's signature: the chain id or account number differs. */
  'signature-refused',
  /** The chain refuses every transaction of the wallet, even a transfer to itself. */
  'transactions-refused',
  /** The node's chain or history does not match the store. */
  'foreign-chain',
  /** Nodes expect a higher sequence: a transaction unknown to the store is in a mempool (interface 7.24). */
  'unknown-transactions',
  /** The account's next sequence differs from the store's and cannot be corrected (interface 7.24). */
  'sequence-differs',
  /** Every node has pruned the next block. */
  'history-pruned',
  /** Nodes disagree on blocks, results or the wallet's account (interface 7.24, 19.18). */
  'nodes-disagree'
] as const

export type BlockerKind = (typeof BLOCKER_KINDS)[number]

export type SubmissionService = Omit<SubmissionEngine, 'start' | 'drain' | 'stop'>

export type EngineHealth = ReturnType<SubmissionEngine['health']>
