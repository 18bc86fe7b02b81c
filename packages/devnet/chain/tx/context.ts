import type { State } from '../state/state.ts'

/** Why a transaction runs: mempool check, mempool recheck after a block, simulation or block execution. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/**
 * The state, height and time that a transaction runs with: those of the current block, or of the last for the mempool.
 */
export interface RunContext {
  readonly state: State
  readonly height: number
  readonly time: string
}
