import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Logger } from '../../logger.ts'
import type { Signer } from '../../wallet/signer.ts'
import type { BlockReader } from '../following/block-reader.ts'
import type { FeePolicy } from '../signing/fees.ts'
import type { Impediments } from '../state/impediments.ts'
import type { SlotTable } from '../state/slots.ts'
import type { SignerState, SubmissionStore, Variant } from '../store/types.ts'
import type { Submission } from '../types.ts'
import type { Clock } from './clock.ts'
import type { Serial } from './serial.ts'

export interface EngineSettings {
  feeDenom: string
  /** Base units per gas, and the margin over the simulated gas, as decimal strings (contract §2). */
  gasPrice: string
  gasMultiplier: string
}

/** What the workers of the engine share. */
export interface EngineContext {
  store: SubmissionStore
  chain: ChainClient
  blocks: BlockReader
  wallet: Signer
  /** A request of this wallet that is only ever simulated, to learn whether the chain takes any. */
  probe: Any
  slots: SlotTable
  settings: EngineSettings
  fees: FeePolicy
  impediments: Impediments
  clock: Clock
  log: Logger
  /**
   * Runs one change of the slots, in the store and then in memory, apart from every other: nobody sees the one
   * without the other.
   */
  change: Serial
  /** The wallet's account and the cursor, as the store has them. */
  signer(): SignerState
  moveSigner(state: SignerState): void
  /** A variant was stored: it is to be sent. */
  variantStored(variant: Variant): void
  /** Submissions were settled for good: whoever waits for them may know. */
  settle(submissions: readonly Submission[]): void
}
