import type { Clock } from '../../clock.ts'
import { HistoryPrunedError, messageOf } from '../errors.ts'
import type { ChainNode, NodeStatus } from '../node/index.ts'
import type { Question } from '../types.ts'

/** Reading may go to one node while sending goes to another. Simulations depend on the mempool, as broadcasts do. */
export type Use = 'reading' | 'sending'

const QUESTIONS: Record<Use, readonly Question[]> = {
  reading: ['status', 'account', 'blockLimits', 'block'],
  sending: ['status', 'simulate', 'broadcast']
}

/** The use that a question belongs to. */
export const useOf = (question: Question): Use =>
  QUESTIONS.sending.includes(question) ? 'sending' : 'reading'

/** Called for every request with its result: the status of a simulation or broadcast, or whether there was an answer. */
export type NodeObserver = (node: string, request: Question, result: string, seconds: number) => void

/** The pause between two questions about a node's status; a node that does not answer is asked more rarely. */
const POLL_MS = 2000

/** A node that is further behind the others is passed over. Several machines behind one URL differ by less. */
export const MAX_LAG = 3

/** After this many failures in a row, a node is not waited for. */
const MOST_FAILURES = 3

/** A node without a new block for this many of its own block times, within these bounds, stands still. */
const STANDSTILL_BLOCKS = 4
const STANDSTILL_MS = { least: 10_000, most: 30_000 }

/** How long a node is passed over for a fault. Each further one of its kind doubles the first cooldown. */
const COOLDOWN_MS = { first: 1000, longest: 30_000 }
const DISTRUST_MS = { first: 30_000, longest: 600_000 }

interface Fault {
  times: number
  until: number
  reason: string
}

/** Why a node is passed over, the least serious first. */
const RANKS = ['behind', 'cooldown', 'pruned', 'foreign'] as const
interface Trouble {
  rank: (typeof RANKS)[number]
  reason: string
}

export type PooledNode = ReturnType<typeof createPooledNode>

/**
 * A node of a pool and its health: the blocks that it has, and its faults. After a failed question it is not used for any
 * question of that use until the cooldown is over and it has reported its status since.
 * @param pool.expectedChain undefined while any chain will do
 * @param pool.newestOfOthers the newest height of the other nodes
 * @param pool.onChange called after each change of the health
 */
export function createPooledNode(
  node: ChainNode,
  name: string,
  pool: {
    clock: Clock
    observe: NodeObserver
    expectedChain: () => string | undefined
    newestOfOthers: (node: ChainNode) => number
    onChange: () => void
  }
) {
  const { clock, observe, expectedChain, newestOfOthers, onChange } = pool
  const faults = new Map<Question | 'history', Fault>()
  let status: NodeStatus | undefined
  let statusAt = Number.NEGATIVE_INFINITY
  let height = 0
  /** When the node got that block, on the clock that does not go back. */
  let grewAt = 0
  let earliestHeight = 1
  let expectedHeight = 0
  let blockIntervalMs: number | undefined

  const faultsOf = (use: Use) => QUESTIONS[use].flatMap(question => faults.get(question) ?? [])
  const hasPruned = (wanted: number) => wanted < earliestHeight

  function addFault(
    kind: Question | 'history',
    reason: unknown,
    { first, longest } = COOLDOWN_MS
  ): undefined {
    const times = (faults.get(kind)?.times ?? 0) + 1
    const until = clock.elapsed() + Math.min(first * 2 ** (times - 1), longest)
    faults.set(kind, { times, until, reason: messageOf(reason) })
    onChange()
  }

  function distrusted(): Fault | undefined {
    const history = faults.get('history')
    return history && clock.elapsed() < history.until ? history : undefined
  }

  function has(seen: number): void {
    if (seen <= height) return
    height = seen
    grewAt = clock.elapsed()
  }

  /** @param wanted the height of the requested block */
  function trouble(use: Use, wanted = earliestHeight): Trouble | undefined {
    const [history, expected] = [distrusted(), expectedChain()]
    if (history) return { rank: 'foreign', reason: history.reason }
    if (expected !== undefined && status && status.chainId !== expected)
      return { rank: 'foreign', reason: `follows ${status.chainId}, not ${expected}` }
    const fault = faultsOf(use).find(({ until }) => statusAt < until)
    if (fault) return { rank: 'cooldown', reason: fault.reason }
    const lag = expectedHeight - height
    if (lag > MAX_LAG) return { rank: 'behind', reason: `is ${lag} blocks behind another node` }
    if (status?.catchingUp) return { rank: 'behind', reason: 'is still reading old blocks' }
    if (!hasPruned(wanted)) return undefined
    return { rank: 'pruned', reason: `does not have block ${wanted} any more` }
  }

  /** Asks the node, and remembers whether it answered. A failure since the question was asked is newer than its answer. */
  async function ask<T>(question: Question, work: (node: ChainNode) => Promise<T>): Promise<T> {
    const startedAt = clock.elapsed()
    const previous = faults.get(question)
    let result = 'unavailable'
    try {
      const answer = await work(node)
      // Simulations and broadcasts have a status, and do not throw.
      const outcome: { status?: string; reason?: string } = Object(answer ?? { status: 'missing' })
      result = outcome.status ?? 'answered'
      if (result === 'unavailable') addFault(question, outcome.reason)
      else if (faults.get(question) === previous) answered(question)
      return answer
    } catch (error) {
      if (error instanceof HistoryPrunedError) {
        result = 'pruned'
        earliestHeight = error.lowest
        onChange()
      } else addFault(question, error)
      throw error
    } finally {
      observe(name, question, result, (clock.elapsed() - startedAt) / 1000)
    }
  }

  function answered(question: Question): void {
    faults.delete(question)
    // A node that answers anything may be asked for its status again.
    const silence = faults.get('status')
    if (silence) silence.until = Math.min(silence.until, clock.elapsed())
    onChange()
  }

  async function readStatus(): Promise<NodeStatus> {
    const expected = newestOfOthers(node)
    const next = await ask('status', () => node.status())
    const { blockTime, chainId } = next
    if (status && next.height > status.height)
      blockIntervalMs = (blockTime - status.blockTime) / (next.height - status.height)
    if (status?.chainId === chainId) {
      has(next.height)
      // A node that is further back was wrong before.
      if (height > next.height + MAX_LAG) height = next.height
    } else {
      height = next.height
      // How long ago the block came is known from its header alone.
      grewAt = clock.elapsed() - Math.max(0, clock.now() - blockTime)
    }
    earliestHeight = next.earliestHeight
    expectedHeight = expected
    status = next
    statusAt = clock.elapsed()
    onChange()
    return next
  }

  return {
    name,
    node,
    /** The newest block that the node is known to have; 0 before its first answer. */
    get height() {
      return height
    },
    ask,
    readStatus,
    /** A step of a loop: asks for the status, unless it failed a short time ago. */
    async poll(): Promise<number> {
      if ((faults.get('status')?.until ?? 0) <= clock.elapsed()) await readStatus().catch(() => {})
      return POLL_MS
    },
    /** Records that the node has this block. */
    has,
    hasPruned,
    failed: (question: Question, reason: string) => addFault(question, reason),
    /** @returns false when the node was distrusted already */
    distrust(reason: string): boolean {
      if (distrusted()) return false
      addFault('history', reason, DISTRUST_MS)
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
    /** The node has failed several times in a row, so that it is not waited for. */
    isDown: (use: Use): boolean => faultsOf(use).some(({ times }) => times >= MOST_FAILURES),
    /** The time on the clock at which its present cooldowns end. */
    cooldownUntil: (use: Use): number => Math.max(0, ...faultsOf(use).map(({ until }) => until)),
    /** The state of the node, for operators. Times are in milliseconds. @param newest the newest block of all nodes */
    health(newest: number) {
      const [reading, sending] = [trouble('reading'), trouble('sending')]
      const fault = (reading ?? sending)?.reason
      return {
        host: node.host,
        /** Its newest block, and the age of that; undefined before its first answer. */
        height: status && height,
        blockAgeMs: status && clock.elapsed() - grewAt,
        /** The time between its last blocks; undefined until two are known. */
        blockIntervalMs,
        /** How many blocks it is behind the newest block of the other nodes. */
        lag: Math.max(0, newest - height),
        /** The lowest block that it still has. */
        earliestHeight,
        /** Whether it can be used for reading, and for simulations and broadcasts. */
        reading: !reading,
        sending: !sending,
        /** Why it is passed over, without secrets. */
        ...(fault !== undefined && { fault })
      }
    }
  }
}

export type NodeHealth = ReturnType<PooledNode['health']>

/** The newest block of the nodes that may be read from; undefined while none has reported one. */
export function newestHeight(nodes: readonly NodeHealth[]): number | undefined {
  const heights = nodes.flatMap(({ reading, height }) => (reading && height !== undefined ? [height] : []))
  return heights.length > 0 ? Math.max(...heights) : undefined
}

/** The newest block of those nodes that are well; 0 when none is. */
export function newestOf(nodes: readonly PooledNode[]): number {
  return Math.max(0, ...nodes.filter(node => !node.trouble('reading')).map(({ height }) => height))
}

/**
 * The nodes that may be asked, the best first: those that are well, in the configured order. When none is, all are, the
 * least bad first; but nodes of another chain only when no other node is waited for.
 * @param nodes in the configured order
 * @param height the requested block
 */
export function candidates(nodes: readonly PooledNode[], use: Use, height?: number): PooledNode[] {
  const well = nodes.filter(node => !node.trouble(use, height))
  if (well.length > 0) return well
  const own = nodes.filter(node => node.trouble(use)?.rank !== 'foreign')
  const left = own.every(node => node.isDown(use)) ? nodes : own
  const badness = (node: PooledNode) => RANKS.indexOf(node.trouble(use, height)?.rank ?? 'behind')
  // Of two in a cooldown, the one that failed earlier, so that they take turns.
  return left.toSorted((a, b) => badness(a) - badness(b) || a.cooldownUntil(use) - b.cooldownUntil(use))
}

/**
 * The nodes that may confirm another's answer, the best first. A node that is behind is one of them: another node that
 * overstates its height makes it appear so.
 */
export function witnesses(nodes: readonly PooledNode[], use: Use): PooledNode[] {
  const behind = nodes.filter(node => node.trouble(use)?.rank === 'behind')
  return [...new Set([...candidates(nodes, use), ...behind])]
}
