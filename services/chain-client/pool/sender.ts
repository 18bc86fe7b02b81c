import type { BroadcastAnswer, PoolSimulation, Question, Simulation, SimulationAnswer } from '../types.ts'
import { candidates, witnesses } from './candidates.ts'
import type { NodeState } from './node-state.ts'
import type { PoolHealth } from './pool-health.ts'

/** Simulations and broadcasts: they go to one node, the best for sending, until another is better. */
export function createSender(states: readonly NodeState[], health: PoolHealth) {
  let current: NodeState | undefined
  let changed = () => {}

  const order = () => candidates(states, { use: 'sending', expectedChain: health.expectedChain })
  /** Also those that appear to be behind, because another one overstates its height. */
  const everyNode = () => witnesses(states, { use: 'sending', expectedChain: health.expectedChain })

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

  async function simulateAt(state: NodeState, simulation: Simulation): Promise<PoolSimulation> {
    const answer = await state.node.simulate(simulation)
    learn(state, 'simulate', answer)
    return { ...answer, node: state.name }
  }

  health.onUpdate(review)

  return {
    onChange(listener: () => void): void {
      changed = listener
    },
    async broadcast(transaction: Uint8Array, everywhere: boolean): Promise<BroadcastAnswer> {
      const state = best()
      if (everywhere)
        for (const other of everyNode()) if (other !== state) void broadcastAt(other, transaction)
      return broadcastAt(state, transaction)
    },
    async simulate(simulation: Simulation): Promise<PoolSimulation> {
      const state = best()
      const answer = await simulateAt(state, simulation)
      // Another node would not be faster: a smaller transaction is.
      if (answer.status === 'passed' || (answer.status === 'unavailable' && answer.late)) return answer
      const isRefused = answer.status === 'failed'
      const next = isRefused ? everyNode().find(other => other !== state) : best()
      if (next === undefined || next === state) return answer
      const again = await simulateAt(next, simulation)
      return isRefused && again.status !== 'passed' ? answer : again
    },
    simulateEverywhere: (simulation: Simulation) =>
      Promise.all(
        everyNode().map(async state => ({
          ...(await simulateAt(state, simulation)),
          isBehind: state.trouble('sending', health.expectedChain)?.rank === 'behind'
        }))
      )
  }
}
