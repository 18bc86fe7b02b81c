import type { State } from '../state/state.ts'

/** What a transaction is run for: the mempool, the mempool after a block, an estimate, or a block. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/** Where a transaction runs: the height and time of the block under way, or of the last one for the mempool. */
export interface RunContext {
  readonly state: State
  readonly height: number
  readonly time: string
}
