import type { Span } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createLimiter } from '../../async/limiter.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type {
  Chain,
  EngineStore,
  Settled,
  SignedTx,
  Signer,
  SubmissionStore,
  WalletState
} from '../contract.ts'
import { type Prices, type RequiredFee, rememberFee } from '../decide/fees.ts'
import type { Identify } from '../identities.ts'
import { createSlotTable } from '../slots.ts'
import type { Blockers } from './blockers.ts'
import { createEvidence } from './evidence.ts'
import { createSlotSpans } from './slot-spans.ts'

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

/** The state that the workers of a term share. `context.ts` adds what is built from it. */
export type EngineState = ReturnType<typeof createState>

export interface TermTools {
  store: EngineStore
  feesPaidToday: SubmissionStore['feesPaidToday']
  log: Logger
  blockers: Blockers
  inTerm: <T>(change: () => Promise<T>) => Promise<T>
  onSigned: () => void
  onSettled: (submissions: readonly Settled[]) => void
}

/** Creates the state of a term. */
export function createState({ spanOf, ...tools }: Tools, { inTerm, onSigned, onSettled, ...own }: TermTools) {
  const { settings, clock } = tools
  const slots = createSlotTable()
  const spans = createSlotSpans(spanOf)
  const evidence = createEvidence(clock)
  const lock = createLimiter(1)
  let account: WalletState | undefined
  let required: RequiredFee | undefined

  return {
    ...tools,
    ...own,
    slots,
    spans,
    evidence,
    prices: (): Prices => ({ ...settings, required, now: clock.elapsed() }),
    /** Records a fee that nodes required. Other transactions offer the same price for ten minutes. */
    feeRequired(fee: bigint, gasLimit: number): void {
      required = rememberFee(fee, gasLimit, clock.elapsed())
    },
    /** Runs slot changes one at a time. Each change updates the store and then memory. */
    withSlotLock: <T>(change: () => Promise<T>): Promise<T> => lock(() => inTerm(change)),
    /** The stored account and cursor; undefined until loaded. */
    get account(): WalletState | undefined {
      return account
    },
    /** @throws TypeError until the account is loaded */
    walletState(): WalletState {
      if (!account) throw new TypeError('the wallet state is not loaded yet')
      return account
    },
    setWalletState(state: WalletState): void {
      account = state
    },
    signedTxStored(signedTx: SignedTx): void {
      slots.add(signedTx)
      spans.signed(signedTx)
      onSigned()
    },
    publishSettled(submissions: readonly Settled[]): void {
      evidence.forget(submissions.map(({ submissionId }) => submissionId))
      onSettled(submissions)
    }
  }
}
