import type { Span } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createLimiter } from '../../async/limiter.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type {
  Chain,
  EngineStore,
  SignedTx,
  Signer,
  Submission,
  SubmissionStore,
  WalletState
} from '../contract.ts'
import { type Prices, type RequiredFee, requireFee } from '../decide/fees.ts'
import type { Identify } from '../identities.ts'
import { createSlotTable, type SlotTable } from '../slots.ts'
import { type BlockReader, createBlockReader } from './block-reader.ts'
import type { Blockers } from './blockers.ts'
import { createEvidence, type EvidenceTable } from './evidence.ts'
import { createExaminer, type Examiner } from './examining.ts'
import { type BlockLimits, createBlockLimits } from './gas.ts'
import { createSigning, type Signing } from './signing.ts'
import { createSlotSpans, type SlotSpans } from './slot-spans.ts'

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
  /** In base units of the denomination; undefined for no warning (interface 17.9). */
  lowBalance?: bigint | undefined
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
  controlRequest: Any
  identify: Identify
  settings: EngineSettings
  clock: Clock
  spanOf: (submissionId: string) => Span | undefined
}

/** What the workers of a term share. Each takes what it needs. */
export interface EngineContext extends Omit<Tools, 'controlRequest' | 'spanOf'> {
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

/** Creates the state that the workers of one term share. */
export function createContext(
  { controlRequest, spanOf, ...tools }: Tools,
  term: {
    store: EngineStore
    feesPaidToday: SubmissionStore['feesPaidToday']
    log: Logger
    blockers: Blockers
    inTerm: <T>(change: () => Promise<T>) => Promise<T>
    onSigned: () => void
    onSettled: (submissions: readonly Submission[]) => void
  }
): EngineContext {
  const { chain, wallet, settings, clock } = tools
  const { store, feesPaidToday, log, blockers, inTerm, onSigned, onSettled } = term
  const slots = createSlotTable()
  const spans = createSlotSpans(spanOf)
  const lock = createLimiter(1)
  let account: WalletState | undefined
  let required: RequiredFee | undefined

  function walletState(): WalletState {
    if (!account) throw new TypeError('the wallet state is not loaded yet')
    return account
  }

  const evidence = createEvidence(clock)
  const examiner = createExaminer({
    chain,
    wallet,
    feeDenom: settings.feeDenom,
    controlRequest,
    evidence,
    walletState,
    async setControlPassed() {
      await store.setControlPassed()
      account = { ...walletState(), controlPassed: true }
    }
  })

  return {
    ...tools,
    store,
    log,
    slots,
    spans,
    blockers,
    evidence,
    examiner,
    blocks: createBlockReader(chain, clock),
    signing: createSigning({ wallet, settings, slots, feesPaidToday, walletState, blockers, clock }),
    blockLimits: createBlockLimits(chain, clock),
    prices: () => ({ ...settings, required, now: clock.elapsed() }),
    feeRequired(fee, gasLimit) {
      required = requireFee(fee, gasLimit, clock.elapsed())
    },
    withSlotLock: change => lock(() => inTerm(change)),
    get account() {
      return account
    },
    walletState,
    setWalletState(state) {
      account = state
    },
    signedTxStored(signedTx) {
      slots.add(signedTx)
      spans.signed(signedTx)
      onSigned()
    },
    publishSettled(submissions) {
      evidence.forget(submissions.map(({ submissionId }) => submissionId))
      onSettled(submissions)
    }
  }
}
