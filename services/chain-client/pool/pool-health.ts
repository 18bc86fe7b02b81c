import type { Logger } from '../../logger.ts'
import type { Question } from '../types.ts'
import type { NodeState } from './node-state.ts'
import { createTroubleLog } from './trouble-log.ts'

/** The health of all nodes: every change of it goes through here. */
export interface PoolHealth {
  /** The chain that the nodes must follow; undefined while any will do. */
  expectedChain: string | undefined
  /** The newest block that any of these nodes has which is well; 0 when none is. */
  newestOf(states: readonly NodeState[]): number
  /** Changes the health of a node by `change`, and tells those who depend on it. */
  update<T>(change: () => T): T
  failed(state: NodeState, question: Question, error: unknown): void
  answered(state: NodeState, question: Question): void
  /** Calls back after every change. */
  onUpdate(listener: () => void): void
  /** Nothing is logged and nobody is told any more. */
  close(): void
}

export function createPoolHealth(states: readonly NodeState[], log: Logger | undefined): PoolHealth {
  const report = createTroubleLog(states, log)
  let updated = () => {}
  let isClosed = false

  const health: PoolHealth = {
    expectedChain: undefined,
    newestOf(some) {
      const well = some.filter(state => !state.trouble('reading', health.expectedChain))
      return Math.max(0, ...well.map(({ height }) => height))
    },
    update(change) {
      const result = change()
      if (isClosed) return result
      report(health.expectedChain)
      updated()
      return result
    },
    failed(state, question, error) {
      health.update(() => state.failed(question, error instanceof Error ? error.message : String(error)))
    },
    answered: (state, question) => health.update(() => state.answered(question)),
    onUpdate(listener) {
      updated = listener
    },
    close() {
      isClosed = true
    }
  }
  return health
}
