import type { State } from '../state/state.ts'

/** Why a transaction runs: mempool check, mempool recheck after a block, simulation or block execution. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/** The state, and the height of the current block or, in the mempool, of the last block. */
export interface RunContext {
  readonly state: State
  readonly height: number
}
