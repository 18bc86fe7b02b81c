import { createBlockReader } from './block-reader.ts'
import { createExaminer } from './examining.ts'
import { createBlockLimits } from './gas.ts'
import { createSigning } from './signing.ts'
import { createState, type TermTools, type Tools } from './state.ts'

/** The state and the functions that the workers of a term share. */
export type EngineContext = ReturnType<typeof createContext>

export function createContext(tools: Tools, term: TermTools) {
  const state = createState(tools, term)
  return Object.assign(state, {
    examiner: createExaminer({
      ...state,
      feeDenom: state.settings.feeDenom,
      async setControlPassed() {
        await state.store.setControlPassed()
        state.setWalletState({ ...state.walletState(), controlPassed: true })
      }
    }),
    blocks: createBlockReader(state.chain, state.clock),
    signing: createSigning(state),
    blockLimits: createBlockLimits(state)
  })
}
