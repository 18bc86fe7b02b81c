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
  SignedTx,
  Signer,
  Submission,
  WalletState
} from '../contract.ts'
import type { Prices } from '../decide/fees.ts'
import type { Identify } from '../identities.ts'
import type { SlotTable } from '../slots.ts'
import type { EvidenceTable } from './evidence.ts'
import type { Examiner } from './examining.ts'
import type { BlockLimits } from './gas.ts'
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
  evidence: EvidenceTable
  examiner: Examiner
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
