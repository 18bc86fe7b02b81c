import type { BlockTransaction } from '../../../services/chain-client/index.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import { createForeignTransactions, type OddTransaction } from './foreign.ts'
import type { Ledger } from './ledger.ts'
import { createNode, type ModelNode } from './node.ts'
import type { ModelTransaction } from './transaction.ts'

export interface NetworkTroubles {
  isHalted: boolean
  isShuffled: boolean
}

export type Network = ReturnType<typeof createNetwork>

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

  function exchange(): void {
    const connected = nodes.filter(node => !node.troubles.isIsolated)
    for (const from of connected) for (const to of connected) if (from !== to) gossip(from, to)
  }

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
    slipIntoNextBlock(): void {
      slipped += 1
    },
    addToNextBlock: (kind: OddTransaction) => void odd.push(kind),
    sendForeign(node: ModelNode): void {
      const transaction = foreign.ofTheWallet(node.checkState.sequence)
      const { status } = node.broadcast(transaction)
      trace(
        () => `chain: ${transaction.hash} with sequence ${transaction.sequence} at ${node.name}: ${status}`
      )
    },
    /** Restarts a node. The other nodes resend their pending transactions to the restarted node. */
    restart(node: ModelNode): void {
      node.restart()
      gossiped.delete(node)
    },
    onBlock: (listener: () => void) => void listeners.push(listener),
    start: schedule
  }
}
