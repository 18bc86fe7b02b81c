import type { Span } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { PoolBlock } from '../../chain-client/contract.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type {
  Blocker,
  BlockerKind,
  Chain,
  EngineStore,
  QueuedMessage,
  Refusal,
  SignedTx,
  Signer,
  Submission,
  WalletState
} from '../contract.ts'
import type { Failure } from '../decide/block.ts'
import type { Prices } from '../decide/fees.ts'
import type { Identify } from '../identities.ts'
import type { SlotTable } from '../slots.ts'
import type { BlockLimits, SimulatedGas } from './gas.ts'
import type { SlotSpans } from './slot-spans.ts'

// What the workers of a term share. `lead/context.ts` creates it.

/** The pause before the next attempt while a blocker is present. */
export const BLOCKED_MS = 2000

export interface EngineSettings {
  feeDenom: string
  /** Base units per unit of gas, as a decimal string (interface 17.7). */
  gasPrice: string
  /** The factor applied to simulated gas, as a decimal string (interface 17.6). */
  gasMultiplier: string
  /** Caps, regardless of the gas that nodes report (interface 17.6). */
  maxMessageGas: number
  maxTransactionGas: number
  /** The highest gas price, as a multiple of `gasPrice` (interface 17.8). */
  maxPriceFactor: number
  /** Rejects new submissions: another wallet takes over once all submissions are settled (interface 7.27). */
  isIntakeClosed?: boolean
  /** How many past blocks are read when the store is empty (interface 7.23). */
  lookBackBlocks: number
  /** Per UTC day, in base units; undefined for no limit (interface 17.10). */
  dailyFeeLimit?: bigint | undefined
}

/** The dependencies that stay the same in every term. */
export interface Tools {
  chain: Chain
  wallet: Signer
  /** An encoded request by this wallet. It is only simulated, to check whether the wallet may submit. */
  canary: Any
  identify: Identify
  settings: EngineSettings
  clock: Clock
  spanOf: (submissionId: string) => Span | undefined
}

/** The conditions that an operator must resolve. */
export interface Blockers {
  readonly present: Blocker[]
  has(kind: BlockerKind): boolean
  /** @returns the pause before the next attempt, in milliseconds */
  raise(kind: BlockerKind, text: string): number
  clear(...kinds: BlockerKind[]): void
}

/** No usable response, or a response that is not about the messages. */
export type Unavailable = { status: 'unavailable'; reason: string; late: boolean }

/** The chain refuses the control, so no user's message is the cause (interface 7.16, 17.4). */
export type Blocked = { status: 'blocked'; kind: BlockerKind; reason: string }

/** One node's simulated gas, which may include the gas of a canary in front of the message. */
export type Passed = { status: 'passed' } & SimulatedGas

/**
 * The chain refuses the canary, which has never passed, and also the transfer. It may still accept requests, for
 * example if gas is free and the wallet has no funds.
 */
type Unproven = { status: 'unproven'; reason: string }

export type ControlResult = Passed | Blocked | Unavailable | Unproven

export type Verdict =
  | Passed
  | Blocked
  | Unavailable
  /** The chain refuses this message, regardless of the rest of the transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** A message fails, but it is unknown which one: try half of the batch next. */
  | { status: 'unclear' }

/** The evidence against messages. `createBlame` explains how it is weighed. */
export interface Blame {
  /** Simulates the control message. */
  control(): Promise<ControlResult>
  /** Simulates a batch. If that fails, judges the message that the chain names or that is alone in the batch. */
  examine(batch: readonly QueuedMessage[]): Promise<Verdict>
  failed(failure: Failure): void
  /** Postpones a message, because each attempt costs money or delays other messages. */
  rest(submissionId: string): void
  isResting(submissionId: string): boolean
  /** How many additional messages the packer reads from the queue. */
  readonly resting: number
  /** Milliseconds until the next rest ends. */
  nextDueMs(): number | undefined
  /** The maximum number of messages in this message's next transaction; undefined unless it is a suspect. */
  together(submissionId: string): number | undefined
  /** How many of the message's transactions have failed. Each failure raises the gas limit. */
  failures(submissionId: string): number
  /** The reason to reject the message if the control passes; undefined before the last strike. */
  convicted(submissionId: string): Refusal | undefined
  /** Clears the evidence after another cause was found. Rests in progress continue. */
  absolve(submissionIds: readonly string[]): void
  forget(submissionIds: readonly string[]): void
}

export interface SigningPlan extends Omit<SignedTx, 'hash' | 'bytes'> {
  messages: Any[]
}

export interface Signing {
  /** @throws SignerUnavailableError while the signer rests */
  requireSigner(): void
  /**
   * Signs a transaction without sending it. A signature that arrives after the timeout is dropped. The caller must hold
   * the slot lock until the transaction is stored, so that every fee check counts all signed transactions (interface
   * 17.10).
   * @throws FeeLimitError, SignerUnavailableError
   */
  sign(plan: SigningPlan): Promise<SignedTx>
}

export interface BlockReader {
  /** 0 before the first block. */
  readonly newest: number
  /**
   * Returns the block and drops it from memory; undefined if it does not exist yet.
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  next(height: number): Promise<PoolBlock | undefined>
  /** Like `next`, but keeps the block in memory. Also throws the error of an earlier request for the block. */
  peek(height: number): Promise<PoolBlock | undefined>
  /** Drops the prefetched blocks, because their node is no longer trusted. */
  forget(): void
}

export interface EngineContext extends Omit<Tools, 'canary' | 'spanOf'> {
  store: EngineStore
  log: Logger
  slots: SlotTable
  spans: SlotSpans
  blockers: Blockers
  blame: Blame
  blocks: BlockReader
  signing: Signing
  blockLimits: BlockLimits
  prices(): Prices
  /** Makes other transactions offer the same price for a while. */
  feeRequired(fee: bigint, gasLimit: number): void
  /** Runs slot changes one at a time. Each change updates the store and then memory. */
  withSlotLock<T>(change: () => Promise<T>): Promise<T>
  /** The stored account and cursor; undefined until loaded. */
  readonly account: WalletState | undefined
  /** @throws TypeError until the account is loaded */
  walletState(): WalletState
  setWalletState(state: WalletState): void
  signedTxStored(signedTx: SignedTx): void
  publishSettled(submissions: readonly Submission[]): void
}
