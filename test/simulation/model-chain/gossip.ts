import type { ModelNode } from './node.ts'

/** Nodes tell each other of waiting transactions, once each. */
export interface Gossip {
  exchange(): void
  /** A node has come back and knows nothing any more. */
  forget(node: ModelNode): void
}

export function createGossip(nodes: readonly ModelNode[]): Gossip {
  const told = new Map<ModelNode, Set<string>>()

  function tell(to: ModelNode, from: ModelNode): void {
    const known = told.get(to) ?? new Set()
    told.set(to, known)
    for (const transaction of from.waiting()) {
      if (known.has(transaction.hash)) continue
      known.add(transaction.hash)
      to.broadcast(transaction)
    }
  }

  return {
    exchange() {
      const connected = nodes.filter(({ troubles }) => !troubles.isIsolated)
      for (const from of connected) for (const to of connected) if (from !== to) tell(to, from)
    },
    forget: node => void told.delete(node)
  }
}
