import type { Context } from '@opentelemetry/api'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createTurns } from '../../async/turns.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Signer } from '../../wallet/signer.ts'
import { createBlockReader } from '../following/block-reader.ts'
import type { Identify } from '../following/wallet-requests.ts'
import { createBlockLimits } from '../opinions/block-limits.ts'
import { createBlame } from '../packing/blame.ts'
import type { EngineContext, EngineSettings } from '../runtime/context.ts'
import { createSlotSpans } from '../runtime/slot-spans.ts'
import { createFeePolicy } from '../signing/fees.ts'
import { createSigning } from '../signing/signing.ts'
import { createImpediments } from '../state/impediments.ts'
import { createSlotTable } from '../state/slots.ts'
import type { SignerState } from '../store/types.ts'
import type { Submission } from '../types.ts'

/** What drives the wallet in any term. */
export interface Tools {
  chain: ChainClient
  wallet: Signer
  /** An encoded request of this wallet, which is only simulated: it shows whether the wallet may submit. */
  probe: Any
  identify: Identify
  settings: EngineSettings
  clock: Clock
  /** The trace in which a submission was accepted, as far as it is known. */
  traceOf: (submissionId: string) => Context | undefined
}

/** What the workers of one term share, still without the wallet's account. */
export interface TermContext extends EngineContext {
  /** The wallet's account and the cursor; undefined until they are loaded. */
  readonly account: SignerState | undefined
}

/** @param events what happens beside the change in memory */
export function createTermContext(
  { chain, wallet, probe, identify, settings, clock, traceOf }: Tools,
  { store, feesPaidToday, log }: Pick<EngineContext, 'store' | 'feesPaidToday' | 'log'>,
  events: {
    onVariant: () => void
    onSettled: (submissions: readonly Submission[]) => void
    /** What the leader reports has changed. */
    onChange: () => void
  }
): TermContext {
  const slots = createSlotTable()
  const spans = createSlotSpans(traceOf)
  const impediments = createImpediments({ log, clock, onChange: events.onChange })
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
    signing: createSigning({ wallet, impediments, clock }),
    identify,
    blame,
    slots,
    settings,
    blockLimits: createBlockLimits(chain, clock),
    fees: createFeePolicy(settings, clock),
    impediments,
    clock,
    log,
    spans,
    withSlotLock: createTurns(1),
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
