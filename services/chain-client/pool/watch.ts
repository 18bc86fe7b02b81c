import type { Clock } from '../../clock.ts'
import type { NodeState } from './node-state.ts'

/** The pause between two questions about a node's status; a node that does not answer is asked more rarely. */
const POLL_MS = 2000

/** Asks for a node's status now; without effect while a question is under way. */
export interface Watch {
  now(): void
  stop(): void
}

/**
 * Asks a node for its status again and again, one question at a time.
 * @param ask asks and remembers the answer; never throws
 */
export function watchNode(state: NodeState, clock: Clock, ask: () => Promise<unknown>): Watch {
  let cancel = () => {}
  let isAsking = false
  let isStopped = false

  async function poll(): Promise<void> {
    if (isAsking || isStopped) return
    cancel()
    isAsking = true
    await ask()
    isAsking = false
    if (!isStopped) cancel = clock.after(Math.max(POLL_MS, state.statusRestMs), poll)
  }

  void poll()
  return {
    now: () => void poll(),
    stop() {
      isStopped = true
      cancel()
    }
  }
}
