import type { ModelNode } from './node.ts'

/** Sends each pending transaction from node to node once. */
export interface Gossip {
  exchange(): void
  /** Forgets what was sent to a restarted node, so that it gets everything again. */
  forget(node: ModelNode): void
}

export function createGossip(nodes: readonly ModelNode[]): Gossip {
  const sent = new Map<ModelNode, Set<string>>()

  function send(to: ModelNode, from: ModelNode): void {
    const known = sent.get(to) ?? new Set()
    sent.set(to, known)
    for (const transaction of from.waiting()) {
      if (known.has(transaction.hash)) continue
      known.add(transaction.hash)
      to.broadcast(transaction)
    }
  }

  return {
    exchange() {
      const connected = nodes.filter(({ troubles }) => !troubles.isIsolated)
      for (const from of connected) for (const to of connected) if (from !== to) send(to, from)
    },
    forget: node => void sent.delete(node)
  }
}
