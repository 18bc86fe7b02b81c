import type { BroadcastAnswer, PoolSimulation, Question, Simulation, SimulationAnswer } from '../types.ts'
import { candidates, type PooledNode, witnesses } from './node-health.ts'

/** Simulations and broadcasts: they go to one node, the best for sending, until another is better. */
export function createSender(nodes: readonly PooledNode[]) {
  let current: PooledNode | undefined
  let changed = () => {}

  /** Also those that appear to be behind, because another one overstates its height. */
  const everyNode = () => witnesses(nodes, 'sending')

  /** The node that is asked now. */
  function best(): PooledNode {
    review()
    if (!current) throw new TypeError('at least one RPC node is required')
    return current
  }

  function review(): void {
    const [first] = candidates(nodes, 'sending')
    const previous = current
    current = first
    if (previous && previous !== first) changed()
  }

  function learn(from: PooledNode, question: Question, answer: BroadcastAnswer | SimulationAnswer): void {
    if (answer.status === 'unavailable') from.failed(question, answer.reason)
    else from.answered(question)
  }

  async function broadcastAt(to: PooledNode, transaction: Uint8Array): Promise<BroadcastAnswer> {
    const answer = await to.node.broadcast(transaction)
    learn(to, 'broadcast', answer)
    return answer
  }

  async function simulateAt(at: PooledNode, simulation: Simulation): Promise<PoolSimulation> {
    const answer = await at.node.simulate(simulation)
    learn(at, 'simulate', answer)
    return { ...answer, node: at.name }
  }

  return {
    /** Chooses again, after a change of a node's health. */
    review,
    onChange(listener: () => void): void {
      changed = listener
    },
    async broadcast(transaction: Uint8Array, everywhere: boolean): Promise<BroadcastAnswer> {
      const chosen = best()
      if (everywhere)
        for (const other of everyNode()) if (other !== chosen) void broadcastAt(other, transaction)
      return broadcastAt(chosen, transaction)
    },
    async simulate(simulation: Simulation): Promise<PoolSimulation> {
      const chosen = best()
      const answer = await simulateAt(chosen, simulation)
      // Another node would not be faster: a smaller transaction is.
      if (answer.status === 'passed' || (answer.status === 'unavailable' && answer.late)) return answer
      const isRefused = answer.status === 'failed'
      const next = isRefused ? everyNode().find(other => other !== chosen) : best()
      if (next === undefined || next === chosen) return answer
      const again = await simulateAt(next, simulation)
      // The other one may pass a smaller transaction, so a refusal that it was too late for is none yet.
      const isOpen = again.status === 'passed' || (again.status === 'unavailable' && again.late)
      return isRefused && !isOpen ? answer : again
    },
    simulateEverywhere: (simulation: Simulation) =>
      Promise.all(
        everyNode().map(async node => ({
          ...(await simulateAt(node, simulation)),
          isBehind: node.trouble('sending')?.rank === 'behind'
        }))
      )
  }
}
