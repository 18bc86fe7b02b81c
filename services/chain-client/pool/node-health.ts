import { backoffMs } from '../../async/backoff.ts'
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors/shown.ts'
import type { ChainNode, NodeHealth, NodeObserver, NodeStatus, Question } from '../contract.ts'
import { HistoryPrunedError } from '../errors.ts'

/** Simulations count as sends, because both depend on the node's mempool. */
export type Use = 'reading' | 'sending'

const QUESTIONS: Record<Use, readonly Question[]> = {
  reading: ['status', 'account', 'blockLimits', 'block'],
  sending: ['status', 'simulate', 'broadcast']
}

export const useOf = (question: Question): Use =>
  QUESTIONS.sending.includes(question) ? 'sending' : 'reading'

const POLL_MS = 2000

/** The number of blocks that a node may be behind before it is skipped. Machines behind one URL differ by less. */
export const MAX_LAG = 3

/** After this many consecutive failures, the pool no longer waits for a node. */
const MAX_FAILURES = 3

/** A node has stalled after this many block times without a new block, within the limits of STANDSTILL_MS. */
const STANDSTILL_BLOCKS = 4
const STANDSTILL_MS = { least: 10_000, most: 30_000 }

/** How long a node is skipped after a fault. Each further fault of the same kind doubles the time. */
const COOLDOWN = { firstMs: 1000, longestMs: 30_000 }
const QUARANTINE = { firstMs: 30_000, longestMs: 600_000 }

interface Fault {
  times: number
  until: number
  reason: string
}

/** Reasons to skip a node, least serious first. */
const RANKS = ['behind', 'cooldown', 'pruned', 'foreign'] as const
interface Trouble {
  rank: (typeof RANKS)[number]
  reason: string
}

export type PooledNode = ReturnType<typeof createPooledNode>

/**
 * Tracks the health of a node. After a failed request, the node is skipped for all requests of the same use until the
 * cooldown is over and the node has reported its status.
 * @param pool.expectedChain undefined while any chain is acceptable
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
  let grewAt = 0
  let earliestHeight = 1
  let expectedHeight = 0
  let blockIntervalMs: number | undefined

  const faultsOf = (use: Use) => QUESTIONS[use].flatMap(question => faults.get(question) ?? [])
  const hasPruned = (wanted: number) => wanted < earliestHeight

  function addFault(kind: Question | 'history', reason: unknown, pauses = COOLDOWN): undefined {
    const times = (faults.get(kind)?.times ?? 0) + 1
    const until = clock.elapsed() + backoffMs(times, pauses)
    faults.set(kind, { times, until, reason: messageOf(reason) })
    onChange()
  }

  function quarantined(): Fault | undefined {
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
    const [history, expected] = [quarantined(), expectedChain()]
    if (history) return { rank: 'foreign', reason: history.reason }
    if (expected !== undefined && status && status.chainId !== expected)
      return { rank: 'foreign', reason: `follows ${status.chainId}, not ${expected}` }
    const fault = faultsOf(use).find(({ until }) => statusAt < until)
    if (fault) return { rank: 'cooldown', reason: fault.reason }
    const lag = expectedHeight - height
    if (lag > MAX_LAG) return { rank: 'behind', reason: `is ${lag} blocks behind another node` }
    if (status?.catchingUp) return { rank: 'behind', reason: 'is still syncing old blocks' }
    if (!hasPruned(wanted)) return undefined
    return { rank: 'pruned', reason: `no longer has block ${wanted}` }
  }

  /** Sends a request and records its outcome. A success does not clear faults added after the request started. */
  async function ask<T>(question: Question, work: (node: ChainNode) => Promise<T>): Promise<T> {
    const startedAt = clock.elapsed()
    const previous = faults.get(question)
    let result = 'unavailable'
    try {
      const answer = await work(node)
      // Simulations and broadcasts return a status instead of throwing an error.
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
    // The node responds, so end the cooldown of its status requests.
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
      if (height > next.height + MAX_LAG) height = next.height
    } else {
      height = next.height
      // The block was not seen to arrive, so take its age from the header.
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
    /** The newest block that the node is known to have; 0 before its first response. */
    get height() {
      return height
    },
    ask,
    readStatus,
    /** Loop step. Pauses status requests while they fail. */
    async poll(): Promise<number> {
      if ((faults.get('status')?.until ?? 0) <= clock.elapsed()) await readStatus().catch(() => {})
      return POLL_MS
    },
    has,
    hasPruned,
    failed: (question: Question, reason: string) => addFault(question, reason),
    /** @returns false if the node was already quarantined */
    quarantine(reason: string): boolean {
      if (quarantined()) return false
      addFault('history', reason, QUARANTINE)
      return true
    },
    trouble,
    /** Returns whether the node will probably get the blocks that it lacks: it responds and has a recent block. */
    isGoingOn(): boolean {
      const rank = trouble('reading')?.rank ?? 'behind'
      if (status?.catchingUp || rank !== 'behind') return false
      const { least, most } = STANDSTILL_MS
      const patience = Math.max(least, Math.min(most, STANDSTILL_BLOCKS * (blockIntervalMs ?? most)))
      return clock.elapsed() - grewAt <= patience
    },
    isDown: (use: Use): boolean => faultsOf(use).some(({ times }) => times >= MAX_FAILURES),
    cooldownUntil: (use: Use): number => Math.max(0, ...faultsOf(use).map(({ until }) => until)),
    health(): NodeHealth {
      const [reading, sending] = [trouble('reading'), trouble('sending')]
      const fault = (reading ?? sending)?.reason
      return {
        host: node.host,
        height: status && height,
        blockAgeMs: status && clock.elapsed() - grewAt,
        blockIntervalMs,
        earliestHeight,
        reading: !reading,
        sending: !sending,
        ...(fault !== undefined && { fault })
      }
    }
  }
}

/** Returns the newest block of the readable nodes; undefined if none has reported its height. */
export function newestHeight(nodes: readonly NodeHealth[]): number | undefined {
  const heights = nodes.flatMap(({ reading, height }) => (reading && height !== undefined ? [height] : []))
  return heights.length > 0 ? Math.max(...heights) : undefined
}

/** Returns the newest block of the healthy nodes; 0 if there are none. */
export function newestOf(nodes: readonly PooledNode[]): number {
  return Math.max(0, ...nodes.filter(node => !node.trouble('reading')).map(({ height }) => height))
}

/**
 * Returns the nodes to try: the healthy ones in the configured order. If there are none, all nodes, least bad first,
 * but quarantined nodes, and nodes on another chain, only if all others are down.
 */
export function candidates(nodes: readonly PooledNode[], use: Use, height?: number): PooledNode[] {
  const well = nodes.filter(node => !node.trouble(use, height))
  if (well.length > 0) return well
  const own = nodes.filter(node => node.trouble(use)?.rank !== 'foreign')
  const left = own.every(node => node.isDown(use)) ? nodes : own
  const badness = (node: PooledNode) => RANKS.indexOf(node.trouble(use, height)?.rank ?? 'behind')
  // Of two nodes in a cooldown, prefer the one whose cooldown ends first, so that they take turns.
  return left.toSorted((a, b) => badness(a) - badness(b) || a.cooldownUntil(use) - b.cooldownUntil(use))
}

/**
 * Returns the nodes that can confirm a response, best first. Includes nodes that seem to be behind, because another
 * node might overstate its height.
 */
export function nodesToConfirm(nodes: readonly PooledNode[], use: Use): PooledNode[] {
  const behind = nodes.filter(node => node.trouble(use)?.rank === 'behind')
  return [...new Set([...candidates(nodes, use), ...behind])]
}
