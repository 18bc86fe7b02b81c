import type { BroadcastAnswer, PoolSimulation, SimulationAnswer } from '../types.ts'
import { candidates } from './candidates.ts'
import type { NodeState } from './node-state.ts'
import type { PoolHealth } from './pool-health.ts'
import type { Question } from './rests.ts'

/** Simulations and broadcasts: they go to one node, the best for sending, until another is better. */
export function createSender(states: readonly NodeState[], health: PoolHealth) {
  let current: NodeState | undefined
  let lastSimulated: NodeState | undefined
  let changed = () => {}

  const order = () => candidates(states, { use: 'sending', expectedChain: health.expectedChain })

  /** The node that is asked now. */
  function best(): NodeState {
    review()
    if (!current) throw new TypeError('at least one RPC node is required')
    return current
  }

  function review(): void {
    const [first] = order()
    const previous = current
    current = first
    if (previous && previous !== first) changed()
  }

  function learn(state: NodeState, question: Question, answer: BroadcastAnswer | SimulationAnswer): void {
    if (answer.status === 'unavailable') health.failed(state, question, answer.reason)
    else health.answered(state, question)
  }

  async function broadcastAt(state: NodeState, transaction: Uint8Array): Promise<BroadcastAnswer> {
    const answer = await state.node.broadcast(transaction)
    learn(state, 'broadcast', answer)
    return answer
  }

  async function simulateAt(state: NodeState, transaction: Uint8Array): Promise<PoolSimulation> {
    const answer = await state.node.simulate(transaction)
    learn(state, 'simulate', answer)
    if (answer.status !== 'unavailable') lastSimulated = state
    return { ...answer, node: state.name }
  }

  health.onUpdate(review)

  return {
    onChange(listener: () => void): void {
      changed = listener
    },
    async broadcast(transaction: Uint8Array, everywhere: boolean): Promise<BroadcastAnswer> {
      const state = best()
      if (everywhere) for (const other of order()) if (other !== state) void broadcastAt(other, transaction)
      return broadcastAt(state, transaction)
    },
    async simulate(transaction: Uint8Array, elsewhere: boolean): Promise<PoolSimulation> {
      const other = elsewhere ? order().find(state => state !== lastSimulated) : undefined
      const state = other ?? best()
      const answer = await simulateAt(state, transaction)
      // Another node would not be faster: a smaller transaction is.
      if (answer.status !== 'unavailable' || answer.late) return answer
      const next = best()
      return next === state ? answer : simulateAt(next, transaction)
    }
  }
}
