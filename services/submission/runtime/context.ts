import type { Turns } from '../../async/turns.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Signer } from '../../wallet/signer.ts'
import type { BlockReader } from '../following/block-reader.ts'
import type { Identify } from '../following/wallet-requests.ts'
import type { BlockLimitReader } from '../opinions/block-limits.ts'
import type { Blame } from '../packing/blame.ts'
import type { FeePolicy } from '../signing/fees.ts'
import type { Signing } from '../signing/signing.ts'
import type { Impediments } from '../state/impediments.ts'
import type { SlotTable } from '../state/slots.ts'
import type { EngineStore } from '../store/engine-writes.ts'
import type { SignerState, SubmissionStore, Variant } from '../store/types.ts'
import type { Submission } from '../types.ts'
import type { SlotSpans } from './slot-spans.ts'

export interface EngineSettings {
  feeDenom: string
  /** Base units per gas, and the margin over the simulated gas, as decimal strings (interface 17.6, 17.7). */
  gasPrice: string
  gasMultiplier: string
  /** The most gas for one message, and for one transaction, whatever nodes say (interface 17.6). */
  maxMessageGas: number
  maxTransactionGas: number
  /** The highest price of gas, as a multiple of `gasPrice` (interface 17.8). */
  maxPriceFactor: number
  /** Accepts nothing new: another wallet takes over when all is settled (interface 7.27). */
  isIntakeClosed?: boolean
  /** How many blocks an empty store looks back over (interface 7.23). */
  lookBackBlocks: number
  /** The most that the chain takes in fees on one UTC day, in base units; undefined for no limit (interface 17.10). */
  dailyFeeLimit?: bigint | undefined
}

/** The state and services that the workers of the engine share. */
export interface EngineContext {
  store: EngineStore
  feesPaidToday: SubmissionStore['feesPaidToday']
  chain: ChainClient
  blocks: BlockReader
  wallet: Signer
  signing: Signing
  identify: Identify
  slots: SlotTable
  blame: Blame
  settings: EngineSettings
  blockLimits: BlockLimitReader
  fees: FeePolicy
  impediments: Impediments
  clock: Clock
  log: Logger
  spans: SlotSpans
  /**
   * Runs one change of the slots at a time, first in the store and then in memory. No other change sees only one of
   * the two.
   */
  withSlotLock: Turns
  /** The wallet's account and the cursor, as they are stored. */
  signer(): SignerState
  setSigner(state: SignerState): void
  /** Adds a stored variant to its slot and wakes the broadcaster. */
  variantStored(variant: Variant): void
  /** Passes settled submissions to the requests that wait for them. */
  settle(submissions: readonly Submission[]): void
}
