import type { Clock } from '../../clock.ts'
import type { ChainNode, NodeHealth, NodeStatus, Question } from '../types.ts'

/** Reading may go to one node while sending goes to another. Simulations depend on the mempool, as broadcasts do. */
export type Use = 'reading' | 'sending'

const QUESTIONS: Record<Use, readonly Question[]> = {
  reading: ['status', 'account', 'blockLimits', 'block'],
  sending: ['status', 'simulate', 'broadcast']
}

/** What a node that is asked this is used for. */
export const useOf = (question: Question): Use =>
  QUESTIONS.sending.includes(question) ? 'sending' : 'reading'

/** A node that is further behind the others is passed over. */
const MAX_LAG = 3

/** A node that failed so often in a row is not waited for. */
const GIVEN_UP_FAILURES = 3

/** A node that has had no new block for so many of its own block times, between these bounds, stands still. */
const STANDSTILL_BLOCKS = 4
const STANDSTILL_MS = { least: 10_000, most: 30_000 }

/** How long a node is passed over for a fault: each further one of its kind doubles the first rest. */
const REST_MS = { first: 1000, longest: 30_000 }
const DISTRUST_MS = { first: 30_000, longest: 600_000 }

interface Fault {
  times: number
  until: number
  isOver: boolean
  reason: string
}

/** Why a node is passed over, the least serious first. */
const RANKS = ['behind', 'resting', 'pruned', 'foreign'] as const
interface Trouble {
  rank: (typeof RANKS)[number]
  reason: string
}

export type PooledNode = ReturnType<typeof createPooledNode>

/**
 * A node of a pool with its health: the blocks that it has, and its faults. A question that fails lets it rest from all
 * questions of that use, until the rest is over and the node has reported its status since. The next failure of the same question
 * is a longer rest, unless the question has been answered in between.
 * @param pool.expectedChain undefined while any will do
 * @param pool.onChange is called after each change of the health
 */
export function createPooledNode(
  node: ChainNode,
  name: string,
  pool: { clock: Clock; expectedChain: () => string | undefined; onChange: () => void }
) {
  const { clock, expectedChain, onChange } = pool
  const faults = new Map<Question | 'history', Fault>()
  let status: NodeStatus | undefined
  let height = 0
  let earliestHeight = 1
  let expectedHeight = 0
  let blockIntervalMs: number | undefined
  /** When the node got its newest block, on the clock that does not go back, and that block. */
  let grewAt = 0
  let highest = 0

  const faultsOf = (use: Use) => QUESTIONS[use].flatMap(question => faults.get(question) ?? [])

  function fault(kind: Question | 'history', reason: string, { first, longest }: typeof REST_MS): void {
    const times = (faults.get(kind)?.times ?? 0) + 1
    const until = clock.elapsed() + Math.min(first * 2 ** (times - 1), longest)
    faults.set(kind, { times, until, isOver: false, reason })
    onChange()
  }

  function distrusted(): Fault | undefined {
    const history = faults.get('history')
    return history && clock.elapsed() < history.until ? history : undefined
  }

  function has(seen: number): void {
    height = Math.max(height, seen)
    if (seen <= highest) return
    highest = seen
    grewAt = clock.elapsed()
  }

  /** @param wanted the height of the block that is asked for */
  function trouble(use: Use, wanted = earliestHeight): Trouble | undefined {
    const [history, expected] = [distrusted(), expectedChain()]
    if (history) return { rank: 'foreign', reason: history.reason }
    if (expected !== undefined && status && status.chainId !== expected) {
      return { rank: 'foreign', reason: `follows ${status.chainId}, not ${expected}` }
    }
    const rest = faultsOf(use).find(({ isOver }) => !isOver)
    if (rest) return { rank: 'resting', reason: rest.reason }
    const lag = expectedHeight - height
    if (lag > MAX_LAG) return { rank: 'behind', reason: `is ${lag} blocks behind another node` }
    if (status?.catchingUp) return { rank: 'behind', reason: 'still reads the blocks of the past' }
    if (wanted < earliestHeight) return { rank: 'pruned', reason: `does not have block ${wanted} any more` }
    return undefined
  }

  return {
    name,
    node,
    /** The newest block that the node is known to have; 0 before its first answer. */
    get height() {
      return height
    },
    /** Remembers a status. @param expected the newest height of the other nodes when the question was sent */
    reported(next: NodeStatus, expected: number): void {
      const { blockTime, chainId } = next
      faults.delete('status')
      for (const each of faults.values()) each.isOver ||= clock.elapsed() >= each.until
      if (status && next.height > status.height) {
        blockIntervalMs = (blockTime - status.blockTime) / (next.height - status.height)
      }
      if (status?.chainId === chainId) has(next.height)
      // How long ago the block came is known from its header alone.
      else grewAt = clock.elapsed() - Math.max(0, clock.now() - blockTime)
      // Machines behind one URL differ by a few blocks; a node that is further back was wrong before.
      if (highest > next.height + MAX_LAG) highest = next.height
      highest = Math.max(highest, next.height)
      height = next.height
      earliestHeight = next.earliestHeight
      expectedHeight = expected
      status = next
      onChange()
    },
    /** The node has this block. */
    has,
    /** The node has deleted the blocks below this one. */
    prunedBelow(lowest: number): void {
      earliestHeight = lowest
      onChange()
    },
    hasPruned: (wanted: number): boolean => wanted < earliestHeight,
    failed(question: Question, error: unknown): void {
      fault(question, error instanceof Error ? error.message : String(error), REST_MS)
    },
    answered(question: Question): void {
      faults.delete(question)
      // A node that answers anything may report its status again.
      const silence = faults.get('status')
      if (silence) silence.until = Math.min(silence.until, clock.elapsed())
      onChange()
    },
    /** @returns false when the node was distrusted already */
    distrust(reason: string): boolean {
      if (distrusted()) return false
      fault('history', reason, DISTRUST_MS)
      return true
    },
    trouble,
    /** It answers, and its newest block is recent: blocks that it does not have yet will come. */
    isGoingOn(): boolean {
      const rank = trouble('reading')?.rank ?? 'behind'
      if (status?.catchingUp || rank !== 'behind') return false
      const { least, most } = STANDSTILL_MS
      const patience = Math.max(least, Math.min(most, STANDSTILL_BLOCKS * (blockIntervalMs ?? most)))
      return clock.elapsed() - grewAt <= patience
    },
    /** The node has failed several times in a row. */
    isGivenUp: (use: Use): boolean => faultsOf(use).some(({ times }) => times >= GIVEN_UP_FAILURES),
    /** The time on the clock at which its present rests end. */
    restsUntil: (use: Use): number => Math.max(0, ...faultsOf(use).map(({ until }) => until)),
    /** Whether it does not rest from questions about its status. */
    mayReport: (): boolean => (faults.get('status')?.until ?? 0) <= clock.elapsed(),
    health(newest: number): NodeHealth {
      const [reading, sending] = [trouble('reading'), trouble('sending')]
      const reason = (reading ?? sending)?.reason
      return {
        host: node.host,
        height: status && height,
        blockAgeMs: status && clock.elapsed() - grewAt,
        blockIntervalMs,
        lag: Math.max(0, newest - height),
        earliestHeight,
        reading: !reading,
        sending: !sending,
        ...(reason !== undefined && { fault: reason })
      }
    }
  }
}

/** The newest block of the nodes that may be read from; undefined while none has reported one. */
export function newestHeight(nodes: readonly NodeHealth[]): number | undefined {
  const heights = nodes.flatMap(({ reading, height }) => (reading && height !== undefined ? [height] : []))
  return heights.length > 0 ? Math.max(...heights) : undefined
}

/** The newest block that any of these nodes has which is well; 0 when none is. */
export function newestOf(nodes: readonly PooledNode[]): number {
  return Math.max(0, ...nodes.filter(node => !node.trouble('reading')).map(({ height }) => height))
}

/**
 * The nodes that a question may be put to, the best first: those that are well, in the configured order. When none is,
 * all are, the least bad first; but nodes of another chain only when no other node is waited for.
 * @param nodes in the configured order
 * @param height the block that is asked for
 */
export function candidates(nodes: readonly PooledNode[], use: Use, height?: number): PooledNode[] {
  const well = nodes.filter(node => !node.trouble(use, height))
  if (well.length > 0) return well
  const own = nodes.filter(node => node.trouble(use)?.rank !== 'foreign')
  const left = own.every(node => node.isGivenUp(use)) ? nodes : own
  const badness = (node: PooledNode) => RANKS.indexOf(node.trouble(use, height)?.rank ?? 'behind')
  // Of two that rest, the one that failed earlier: so that they are asked by turns.
  return left.toSorted((a, b) => badness(a) - badness(b) || a.restsUntil(use) - b.restsUntil(use))
}

/**
 * The nodes that may confirm what another one answers, the best first. A node that is behind is one of them: another node
 * that overstates its height makes it appear so.
 */
export function witnesses(nodes: readonly PooledNode[], use: Use): PooledNode[] {
  const behind = nodes.filter(node => node.trouble(use)?.rank === 'behind')
  return [...new Set([...candidates(nodes, use), ...behind])]
}
