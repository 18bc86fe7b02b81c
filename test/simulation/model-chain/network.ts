import type { BlockTransaction } from '../../../services/chain-client/index.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import { createForeignTransactions, type OddTransaction } from './foreign.ts'
import type { Ledger } from './ledger.ts'
import { createNode, type ModelNode } from './node.ts'
import type { ModelTransaction } from './transaction.ts'

/** Faults of the whole network. */
export interface NetworkTroubles {
  /** No blocks are produced. */
  isHalted: boolean
  /** Blocks order transactions differently from the mempool. */
  isShuffled: boolean
}

export type Network = ReturnType<typeof createNetwork>

/** The nodes and the blocks that they produce. */
export function createNetwork(options: {
  ledger: Ledger
  address: string
  nodeCount: number
  blockMs: number
  clock: VirtualClock
  random: Random
  trace: Trace
}) {
  const { ledger, address, nodeCount, blockMs, clock, random, trace } = options
  const nodes = Array.from({ length: nodeCount }, (_, index) => createNode(`node-${index}`, ledger))
  const foreign = createForeignTransactions(address, random)
  const troubles: NetworkTroubles = { isHalted: false, isShuffled: false }
  const listeners: (() => void)[] = []
  /** The transactions that were sent to each node by others. */
  const gossiped = new Map<ModelNode, Set<string>>()
  let slipped = 0
  let odd: OddTransaction[] = []

  function gossip(from: ModelNode, to: ModelNode): void {
    const known = gossiped.get(to) ?? new Set()
    gossiped.set(to, known)
    for (const transaction of from.waiting()) {
      if (known.has(transaction.hash)) continue
      known.add(transaction.hash)
      to.broadcast(transaction)
    }
  }

  /** Sends each pending transaction from node to node once. */
  function exchange(): void {
    const connected = nodes.filter(node => !node.troubles.isIsolated)
    for (const from of connected) for (const to of connected) if (from !== to) gossip(from, to)
  }

  /** The mempool of a random up-to-date node; empty if all nodes lag. */
  function proposal(): ModelTransaction[] {
    const upToDate = nodes.filter(({ height }) => height === ledger.height)
    const transactions = upToDate.length > 0 ? random.pick(upToDate).reap() : []
    if (troubles.isShuffled) transactions.sort(() => (random.chance(0.5) ? 1 : -1))
    for (; slipped > 0; slipped--) {
      const place = random.int(0, transactions.length)
      const sequence = ledger.stateAt(ledger.height).sequence + place
      transactions.splice(place, 0, foreign.ofTheWallet(sequence))
    }
    return transactions
  }

  /** Transactions without effect on the wallet. */
  function noise(): BlockTransaction[] {
    const { sequence } = ledger.stateAt(ledger.height)
    const kinds = odd
    odd = []
    const others = random.chance(0.2) ? [foreign.ofAnother()] : []
    return [...others, ...kinds.map(kind => foreign[kind](sequence))]
  }

  function produce(): void {
    if (nodeCount > 1 && random.chance(0.8)) exchange()
    const others = noise()
    const results = ledger.produce(proposal(), others)
    trace(() => {
      const content = [...others, ...results].map(
        ({ hash, code }) => `${hash.slice(0, 8)}${code ? `(code ${code})` : ''}`
      )
      return `chain: block ${ledger.height} [${content.join(' ')}]`
    })
    for (const node of nodes) node.catchUp()
    for (const listener of listeners) listener()
  }

  function schedule(): void {
    clock.after(random.int(Math.ceil(blockMs * 0.8), Math.ceil(blockMs * 1.2)), () => {
      if (!troubles.isHalted) produce()
      schedule()
    })
  }

  return {
    ledger,
    nodes,
    troubles,
    /** Adds a transaction of the wallet to the next block that was in no mempool. */
    slipIntoNextBlock(): void {
      slipped += 1
    },
    /** Adds a transaction to the next block that consumes no sequence of the wallet, regardless of its events. */
    addToNextBlock: (kind: OddTransaction) => void odd.push(kind),
    /** Sends a node a transaction of the wallet as another program would. */
    sendForeign(node: ModelNode): void {
      const transaction = foreign.ofTheWallet(node.checkState.sequence)
      const { status } = node.broadcast(transaction)
      trace(
        () => `chain: ${transaction.hash} with sequence ${transaction.sequence} at ${node.name}: ${status}`
      )
    },
    /** The node gets the pending transactions of the others again. */
    restart(node: ModelNode): void {
      node.restart()
      gossiped.delete(node)
    },
    onBlock: (listener: () => void) => void listeners.push(listener),
    /** Starts to produce blocks. */
    start: schedule
  }
}
