import type { Context } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createLimiter } from '../../async/limiter.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Signer } from '../../wallet/signer.ts'
import { createBlockLimits } from '../opinions/gas.ts'
import { createBlame } from '../pack/blame.ts'
import { createBlockReader } from '../settle/block-reader.ts'
import type { Identify } from '../settle/wallet-requests.ts'
import { createFeePolicy } from '../sign/fees.ts'
import { createSigning } from '../sign/signing.ts'
import type { EngineStore } from '../store/engine-writes.ts'
import type { SignedTx, SubmissionStore, WalletState } from '../store/types.ts'
import type { Submission } from '../types.ts'
import { createBlockers } from './blockers.ts'
import { createSlotSpans } from './slot-spans.ts'
import { createSlotTable } from './slots.ts'

export interface EngineSettings {
  feeDenom: string
  /** Base units per gas, and the margin over the simulated gas, as decimal strings (interface 17.6, 17.7). */
  gasPrice: string
  gasMultiplier: string
  /** The most gas per message and per transaction, whatever nodes report (interface 17.6). */
  maxMessageGas: number
  maxTransactionGas: number
  /** The highest price of gas, as a multiple of `gasPrice` (interface 17.8). */
  maxPriceFactor: number
  /** Accepts nothing new: another wallet takes over once everything is settled (interface 7.27). */
  isIntakeClosed?: boolean
  /** How many blocks an empty store looks back over (interface 7.23). */
  lookBackBlocks: number
  /** The most fees per UTC day, in base units; undefined for no limit (interface 17.10). */
  dailyFeeLimit?: bigint | undefined
}

/** Dependencies of a leader that are the same in every term. */
export interface Tools {
  chain: ChainClient
  wallet: Signer
  /** An encoded request of this wallet that is only simulated, to show whether the wallet may submit. */
  canary: Any
  /** The identities of the wallet's requests, in transactions that the store does not know. */
  identify: Identify
  settings: EngineSettings
  clock: Clock
  /** The trace in which a submission was accepted, as far as known. */
  traceOf: (submissionId: string) => Context | undefined
}

export type EngineContext = ReturnType<typeof createContext>

/** State that the workers of one term share. It is dropped when the term ends. */
export function createContext(
  { canary, traceOf, ...tools }: Tools,
  term: {
    store: EngineStore
    feesPaidToday: SubmissionStore['feesPaidToday']
    log: Logger
    /** Runs a change of the term, and ends the term if the change shows that another has begun. */
    inTerm: <T>(change: () => Promise<T>) => Promise<T>
    onSigned: () => void
    onSettled: (submissions: readonly Submission[]) => void
    /** Called when the leader's report has changed. */
    onChange: () => void
  }
) {
  const { chain, wallet, settings, clock } = tools
  const { store, feesPaidToday, log, inTerm, onSigned, onSettled, onChange } = term
  const slots = createSlotTable()
  const spans = createSlotSpans(traceOf)
  const blockers = createBlockers({ log, clock, onChange })
  const lock = createLimiter(1)
  let account: WalletState | undefined

  function walletState(): WalletState {
    if (!account) throw new TypeError('the state of the wallet is not loaded yet')
    return account
  }

  const blame = createBlame({
    chain,
    wallet,
    feeDenom: settings.feeDenom,
    canary,
    walletState,
    async setCanaryPassed() {
      await store.setCanaryPassed()
      account = { ...walletState(), canaryPassed: true }
    },
    clock
  })

  return {
    ...tools,
    store,
    log,
    slots,
    spans,
    blockers,
    blame,
    blocks: createBlockReader(chain, clock),
    signing: createSigning({ wallet, settings, slots, feesPaidToday, walletState, blockers, clock }),
    blockLimits: createBlockLimits(chain, clock),
    fees: createFeePolicy(settings, clock),
    /**
     * Runs one change of the slots at a time, first in the store and then in memory. No other change sees only one of
     * the two.
     */
    withSlotLock: <T>(change: () => Promise<T>): Promise<T> => lock(() => inTerm(change)),
    /** The wallet's account and the cursor as stored; undefined until loaded. */
    get account(): WalletState | undefined {
      return account
    },
    /** Like `account`, but throws until it is loaded. */
    walletState,
    setWalletState(state: WalletState): void {
      const isFirst = !account
      account = state
      if (isFirst) onChange()
    },
    /** Adds a stored signed transaction to its slot and wakes the broadcaster. */
    signedTxStored(signedTx: SignedTx): void {
      slots.add(signedTx)
      spans.signed(signedTx)
      onSigned()
    },
    /** Passes settled submissions to the requests that wait for them. */
    publishSettled(submissions: readonly Submission[]): void {
      blame.forget(submissions.map(({ submissionId }) => submissionId))
      onSettled(submissions)
    }
  }
}
