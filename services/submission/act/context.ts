import { createLimiter } from '../../async/limiter.ts'
import type { Settled, SignedTx, WalletState } from '../contract.ts'
import { type Prices, type RequiredFee, rememberFee } from '../decide/fees.ts'
import { createSlotTable } from '../slots.ts'
import { createBlockReader } from './block-reader.ts'
import { createEvidence } from './evidence.ts'
import { createExaminer } from './examining.ts'
import { createBlockLimits } from './gas.ts'
import { createSigning } from './signing.ts'
import { createSlotSpans } from './slot-spans.ts'
import type { TermTools, Tools } from './tools.ts'

/** The state and the functions that the workers of a term share. */
export type EngineContext = ReturnType<typeof createContext>

export function createContext(
  { spanOf, ...tools }: Tools,
  { inTerm, onSigned, onSettled, ...own }: TermTools
) {
  const { settings, clock, chain } = tools
  const slots = createSlotTable()
  const spans = createSlotSpans(spanOf)
  const evidence = createEvidence(clock)
  const lock = createLimiter(1)
  let account: WalletState | undefined
  let required: RequiredFee | undefined

  /** @throws TypeError until the account is loaded */
  function walletState(): WalletState {
    if (!account) throw new TypeError('the wallet state is not loaded yet')
    return account
  }

  return {
    ...tools,
    ...own,
    slots,
    spans,
    evidence,
    blocks: createBlockReader(chain, clock),
    blockLimits: createBlockLimits(chain, clock),
    signing: createSigning({ ...tools, ...own, slots, walletState }),
    examiner: createExaminer({
      ...tools,
      evidence,
      walletState,
      feeDenom: settings.feeDenom,
      async setControlPassed() {
        await own.store.setControlPassed()
        account = { ...walletState(), controlPassed: true }
      }
    }),
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
    walletState,
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
