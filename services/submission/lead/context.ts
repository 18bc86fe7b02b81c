import type { Context } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createLimiter } from '../../async/limiter.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import { shorten } from '../../errors/shown.ts'
import type { Logger } from '../../logger.ts'
import type { Signer } from '../../wallet/signer.ts'
import type { Identify } from '../identities.ts'
import { createBlockLimits } from '../opinions/gas.ts'
import { createBlame } from '../pack/blame.ts'
import { createBlockReader } from '../settle/block-reader.ts'
import { createFeePolicy } from '../sign/fees.ts'
import { createSigning } from '../sign/signing.ts'
import type { EngineStore } from '../store/engine-writes.ts'
import type { SignedTx, SubmissionStore, WalletState } from '../store/types.ts'
import type { Blocker, BlockerKind, Submission } from '../types.ts'
import { createSlotSpans } from './slot-spans.ts'
import { createSlotTable } from './slots.ts'

/** The pause before the next attempt while a blocker is present. */
export const BLOCKED_MS = 2000

export type Blockers = ReturnType<typeof createBlockers>

export function createBlockers({
  log,
  clock,
  onChange
}: {
  log: Logger
  clock: Clock
  onChange: () => void
}) {
  const present = new Map<BlockerKind, Blocker>()
  return {
    get present(): Blocker[] {
      return [...present.values()]
    },
    has: (kind: BlockerKind) => present.has(kind),
    /** @returns the pause before the next attempt */
    raise(kind: BlockerKind, text: string): number {
      if (present.has(kind)) return BLOCKED_MS
      const reason = shorten(text)
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ blocker: kind, reason }, 'blocker raised')
      onChange()
      return BLOCKED_MS
    },
    clear(...kinds: BlockerKind[]): void {
      for (const kind of kinds) {
        if (!present.delete(kind)) continue
        log.info({ blocker: kind }, 'blocker cleared')
        onChange()
      }
    }
  }
}

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
  chain: ChainClient
  wallet: Signer
  /** An encoded request by this wallet. It is only simulated, to check whether the wallet may submit. */
  canary: Any
  identify: Identify
  settings: EngineSettings
  clock: Clock
  traceOf: (submissionId: string) => Context | undefined
}

export type EngineContext = ReturnType<typeof createContext>

/** Creates the state that the workers of one term share. */
export function createContext(
  { canary, traceOf, ...tools }: Tools,
  term: {
    store: EngineStore
    feesPaidToday: SubmissionStore['feesPaidToday']
    log: Logger
    inTerm: <T>(change: () => Promise<T>) => Promise<T>
    onSigned: () => void
    onSettled: (submissions: readonly Submission[]) => void
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
    if (!account) throw new TypeError('the wallet state is not loaded yet')
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
    /** Runs slot changes one at a time. Each change updates the store and then memory. */
    withSlotLock: <T>(change: () => Promise<T>): Promise<T> => lock(() => inTerm(change)),
    /** The stored account and cursor; undefined until loaded. */
    get account(): WalletState | undefined {
      return account
    },
    /** @throws TypeError until the account is loaded */
    walletState,
    setWalletState(state: WalletState): void {
      const isFirst = !account
      account = state
      if (isFirst) onChange()
    },
    signedTxStored(signedTx: SignedTx): void {
      slots.add(signedTx)
      spans.signed(signedTx)
      onSigned()
    },
    publishSettled(submissions: readonly Submission[]): void {
      blame.forget(submissions.map(({ submissionId }) => submissionId))
      onSettled(submissions)
    }
  }
}
