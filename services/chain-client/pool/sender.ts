import type { BroadcastAnswer, PoolSimulation, Simulation } from '../types.ts'
import { candidates, type PooledNode, witnesses } from './node-health.ts'

/** Simulations and broadcasts: they go to one node, the best for sending, until another is better. */
export function createSender(nodes: readonly PooledNode[]) {
  let current: PooledNode | undefined
  let changed = () => {}

  /** Includes those that seem to be behind, because another node overstates its height. */
  const everyNode = () => witnesses(nodes, 'sending')

  /** The node for the next question. */
  function best(): PooledNode {
    const [first] = candidates(nodes, 'sending')
    if (!first) throw new TypeError('at least one RPC node is required')
    const previous = current
    current = first
    if (previous && previous !== first) changed()
    return first
  }

  const simulateAt = (node: PooledNode, simulation: Simulation): Promise<PoolSimulation> =>
    node.ask('simulate', async ({ simulate }) => ({ ...(await simulate(simulation)), node: node.name }))

  const broadcastTo = (node: PooledNode, transaction: Uint8Array): Promise<BroadcastAnswer> =>
    node.ask('broadcast', ({ broadcast }) => broadcast(transaction))

  return {
    /** Chooses again, after a change of a node's health. */
    review: (): void => void best(),
    /** Calls back when simulations and broadcasts start to go to another node. */
    onNodeChange(listener: () => void): void {
      changed = listener
    },
    /**
     * Asks one node once: only the caller knows whether a broadcast may be repeated. Never throws.
     * @param options.everywhere also sends to the other nodes, whose answers are not awaited: the first may not pass it on
     */
    async broadcast(transaction: Uint8Array, { everywhere = false } = {}): Promise<BroadcastAnswer> {
      const chosen = best()
      for (const node of everywhere ? everyNode() : [])
        if (node !== chosen) void broadcastTo(node, transaction)
      return broadcastTo(chosen, transaction)
    },
    /** A refusal is put to another node, where there is one: what passes there is not refused. Never throws. */
    async simulate(simulation: Simulation): Promise<PoolSimulation> {
      const chosen = best()
      const answer = await simulateAt(chosen, simulation)
      // Another node would not be faster: a smaller transaction is.
      if (answer.status === 'passed' || (answer.status === 'unavailable' && answer.late)) return answer
      const isRefused = answer.status === 'failed'
      const next = isRefused ? everyNode().find(other => other !== chosen) : best()
      if (next === undefined || next === chosen) return answer
      const again = await simulateAt(next, simulation)
      // The other one may pass a smaller transaction, so a refusal that it was too late to confirm does not count yet.
      const isOpen = again.status === 'passed' || (again.status === 'unavailable' && again.late)
      return isRefused && !isOpen ? answer : again
    },
    /** Asks every node that answers at the same time, because each has its own mempool. Never throws. */
    simulateEverywhere: (simulation: Simulation) =>
      Promise.all(
        everyNode().map(async node => ({
          ...(await simulateAt(node, simulation)),
          isBehind: node.trouble('sending')?.rank === 'behind'
        }))
      )
  }
}
