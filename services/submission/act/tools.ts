import type { Span } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Chain, EngineStore, Settled, Signer, SubmissionStore } from '../contract.ts'
import type { Identify } from '../identities.ts'
import type { Blockers } from './blockers.ts'

export interface EngineSettings {
  feeDenom: string
  /** Base units per unit of gas, as a decimal string (interface 17.7). */
  gasPrice: string
  /** In base units of the denomination; undefined for no warning (interface 17.9). */
  lowBalance?: bigint | undefined
  /** Rejects new submissions, so that all can be settled before a hand-over to another wallet (interface 7.27). */
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
  controlRequest: Any
  identify: Identify
  settings: EngineSettings
  clock: Clock
  spanOf: (submissionId: string) => Span | undefined
}

/** The dependencies of one leader term. */
export interface TermTools {
  store: EngineStore
  feesPaidToday: SubmissionStore['feesPaidToday']
  log: Logger
  blockers: Blockers
  inTerm: <T>(change: () => Promise<T>) => Promise<T>
  onSigned: () => void
  onSettled: (submissions: readonly Settled[]) => void
}
