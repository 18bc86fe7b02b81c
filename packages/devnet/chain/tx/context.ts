import type { State } from '../state/state.ts'

/** Why a transaction runs: mempool check, mempool recheck after a block, simulation or block execution. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/**
 * The state, height and time that a transaction runs with. They belong to the current block, or in the mempool to the
 * last block.
 */
export interface RunContext {
  readonly state: State
  readonly height: number
  readonly time: string
}
