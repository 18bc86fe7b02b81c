import type { Context } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createLimiter, type Limiter } from '../../async/limiter.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Signer } from '../../wallet/signer.ts'
import { type BlockLimitReader, createBlockLimits } from '../opinions/block-limits.ts'
import { type Blame, createBlame } from '../pack/blame.ts'
import { type BlockReader, createBlockReader } from '../settle/block-reader.ts'
import type { Identify } from '../settle/wallet-requests.ts'
import { createFeePolicy, type FeePolicy } from '../sign/fees.ts'
import { createSigning, type Signing } from '../sign/signing.ts'
import type { EngineStore } from '../store/engine-writes.ts'
import type { SignerState, SubmissionStore, Variant } from '../store/types.ts'
import type { Submission } from '../types.ts'
import { type Blockers, createBlockers } from './blockers.ts'
import { createSlotSpans, type SlotSpans } from './slot-spans.ts'
import { createSlotTable, type SlotTable } from './slots.ts'

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

/** What the workers of one term share: what it has loaded and learnt ends with it. */
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
  blockers: Blockers
  clock: Clock
  log: Logger
  spans: SlotSpans
  /**
   * Runs one change of the slots at a time, first in the store and then in memory. No other change sees only one of
   * the two.
   */
  withSlotLock: Limiter
  /** The wallet's account and the cursor, as they are stored; undefined until they are loaded. */
  readonly account: SignerState | undefined
  /** The same, where they are loaded. */
  signer(): SignerState
  setSigner(state: SignerState): void
  /** Adds a stored variant to its slot and wakes the broadcaster. */
  variantStored(variant: Variant): void
  /** Passes settled submissions to the requests that wait for them. */
  settle(submissions: readonly Submission[]): void
}

/** What drives the wallet in any term. */
export interface Tools extends Pick<EngineContext, 'chain' | 'wallet' | 'identify' | 'settings' | 'clock'> {
  /** An encoded request of this wallet, which is only simulated: it shows whether the wallet may submit. */
  probe: Any
  /** The trace in which a submission was accepted, as far as it is known. */
  traceOf: (submissionId: string) => Context | undefined
}

/** @param events what happens beside the change in memory */
export function createContext(
  { chain, wallet, probe, identify, settings, clock, traceOf }: Tools,
  { store, feesPaidToday, log }: Pick<EngineContext, 'store' | 'feesPaidToday' | 'log'>,
  events: {
    onVariant: () => void
    onSettled: (submissions: readonly Submission[]) => void
    /** What the leader reports has changed. */
    onChange: () => void
  }
): EngineContext {
  const slots = createSlotTable()
  const spans = createSlotSpans(traceOf)
  const blockers = createBlockers({ log, clock, onChange: events.onChange })
  let account: SignerState | undefined

  function signer(): SignerState {
    if (!account) throw new TypeError('the signer state is not loaded yet')
    return account
  }

  const blame = createBlame({
    chain,
    wallet,
    feeDenom: settings.feeDenom,
    request: probe,
    signer,
    async setProbePassed() {
      await store.setProbePassed()
      account = { ...signer(), probePassed: true }
    },
    clock
  })

  return {
    store,
    feesPaidToday,
    chain,
    blocks: createBlockReader(chain, clock),
    wallet,
    signing: createSigning({ wallet, blockers, clock }),
    identify,
    blame,
    slots,
    settings,
    blockLimits: createBlockLimits(chain, clock),
    fees: createFeePolicy(settings, clock),
    blockers,
    clock,
    log,
    spans,
    withSlotLock: createLimiter(1),
    get account() {
      return account
    },
    signer,
    setSigner(state) {
      const isFirst = !account
      account = state
      if (isFirst) events.onChange()
    },
    variantStored(variant) {
      slots.add(variant)
      spans.signed(variant)
      events.onVariant()
    },
    settle(submissions) {
      blame.forget(submissions.map(({ submissionId }) => submissionId))
      events.onSettled(submissions)
    }
  }
}
