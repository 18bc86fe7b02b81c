import { createLimiter } from '../../async/limiter.ts'
import type { Clock } from '../../clock.ts'
import { shorten } from '../../errors/shown.ts'
import type { Logger } from '../../logger.ts'
import type {
  Blocker,
  BlockerKind,
  EngineStore,
  Submission,
  SubmissionStore,
  WalletState
} from '../contract.ts'
import { type RequiredFee, requireFee } from '../decide/fees.ts'
import { createSlotTable } from '../slots.ts'
import { createBlockReader } from './block-reader.ts'
import { BLOCKED_MS, type Blockers, type EngineContext, type Tools } from './engine-context.ts'
import { createEvidence } from './evidence.ts'
import { createExaminer } from './examining.ts'
import { createBlockLimits } from './gas.ts'
import { createSigning } from './signing.ts'
import { createSlotSpans } from './slot-spans.ts'

function createBlockers({
  log,
  clock,
  onChange
}: {
  log: Logger
  clock: Clock
  onChange: () => void
}): Blockers {
  const present = new Map<BlockerKind, Blocker>()
  return {
    get present() {
      return [...present.values()]
    },
    has: kind => present.has(kind),
    raise(kind, text) {
      if (present.has(kind)) return BLOCKED_MS
      const reason = shorten(text)
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ blocker: kind, reason }, 'blocker raised')
      onChange()
      return BLOCKED_MS
    },
    clear(...kinds) {
      for (const kind of kinds) {
        if (!present.delete(kind)) continue
        log.info({ blocker: kind }, 'blocker cleared')
        onChange()
      }
    }
  }
}

/** Creates the state that the workers of one term share. */
export function createContext(
  { canary, spanOf, ...tools }: Tools,
  term: {
    store: EngineStore
    feesPaidToday: SubmissionStore['feesPaidToday']
    log: Logger
    inTerm: <T>(change: () => Promise<T>) => Promise<T>
    onSigned: () => void
    onSettled: (submissions: readonly Submission[]) => void
    onChange: () => void
  }
): EngineContext {
  const { chain, wallet, settings, clock } = tools
  const { store, feesPaidToday, log, inTerm, onSigned, onSettled, onChange } = term
  const slots = createSlotTable()
  const spans = createSlotSpans(spanOf)
  const blockers = createBlockers({ log, clock, onChange })
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
    canary,
    evidence,
    walletState,
    async setCanaryPassed() {
      await store.setCanaryPassed()
      account = { ...walletState(), canaryPassed: true }
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
      const isFirst = !account
      account = state
      if (isFirst) onChange()
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
