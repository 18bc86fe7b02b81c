import type { BroadcastResult, PoolSimulation, Simulation } from '../contract.ts'
import { candidates, nodesToConfirm, type PooledNode } from './node-health.ts'

export function createSender(nodes: readonly PooledNode[]) {
  let current: PooledNode | undefined
  let changed = () => {}

  const everyNode = () => nodesToConfirm(nodes, 'sending')

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

  const broadcastTo = (node: PooledNode, transaction: Uint8Array): Promise<BroadcastResult> =>
    node.ask('broadcast', ({ broadcast }) => broadcast(transaction))

  return {
    review: best,
    onNodeChange(listener: () => void): void {
      changed = listener
    },
    async broadcast(transaction: Uint8Array, { everywhere = false } = {}): Promise<BroadcastResult> {
      const chosen = best()
      for (const node of everywhere ? everyNode() : [])
        if (node !== chosen) void broadcastTo(node, transaction)
      return broadcastTo(chosen, transaction)
    },
    async simulate(simulation: Simulation): Promise<PoolSimulation> {
      const chosen = best()
      const answer = await simulateAt(chosen, simulation)
      // Another node would not be faster, but a smaller transaction is.
      if (answer.status === 'passed' || (answer.status === 'unavailable' && answer.timedOut)) return answer
      const isRefused = answer.status === 'failed'
      const next = isRefused ? everyNode().find(other => other !== chosen) : best()
      if (next === undefined || next === chosen) return answer
      const again = await simulateAt(next, simulation)
      // If the second node timed out, a smaller transaction might pass there: the refusal does not count yet.
      const isOpen = again.status === 'passed' || (again.status === 'unavailable' && again.timedOut)
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
