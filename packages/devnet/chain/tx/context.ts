import type { State } from '../state/state.ts'

/** Why a transaction runs: for the mempool, a mempool recheck after a block, an estimate, or a block. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/** Where a transaction runs: the height and time of the current block, or of the last one for the mempool. */
export interface RunContext {
  readonly state: State
  readonly height: number
  readonly time: string
}
