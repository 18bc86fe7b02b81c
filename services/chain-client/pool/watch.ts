import type { Clock } from '../../clock.ts'
import type { NodeState } from './node-state.ts'

/** The pause between two questions about a node's status; a node that does not answer rests for longer. */
const POLL_MS = 2000

/**
 * Asks for a node's status again and again, one question at a time.
 * @param ask asks and remembers the answer; never throws
 */
export function watchNode(state: NodeState, clock: Clock, ask: () => Promise<unknown>): { stop(): void } {
  let cancel = () => {}
  let isStopped = false

  async function poll(): Promise<void> {
    if (state.statusRestMs === 0) await ask()
    if (!isStopped) cancel = clock.after(POLL_MS, poll)
  }

  void poll()
  return {
    stop() {
      isStopped = true
      cancel()
    }
  }
}
