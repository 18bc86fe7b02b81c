import { within } from '../../async/within.ts'
import type { Clock } from '../../clock.ts'
import type { NodeBlock, PoolBlock, Question } from '../contract.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../errors.ts'
import { candidates, MAX_LAG, newestOf, nodesToConfirm, type PooledNode } from './node-health.ts'

/** How long to wait for a node before also trying the next one. */
const IMPATIENCE_MS = 2000

/** How long to wait for a second node, which might get the newest block slightly later than the first. */
const PATIENCE_MS = 1000
const STEP_MS = 50

/** How long to wait for a second node to confirm a block that only one node has. */
const MAX_AWAITED_MS = 30_000

interface Read<T> {
  from: PooledNode
  answer: T
}

const firstOf = <T>(attempts: readonly Promise<T | undefined>[]): Promise<T | undefined> =>
  Promise.any(attempts.map(async attempt => (await attempt) ?? Promise.reject())).catch(() => undefined)

export function createReading(
  nodes: readonly PooledNode[],
  clock: Clock,
  isForeign: (answer: unknown) => boolean
) {
  const awaitedSince = new Map<number, number>()
  let newest = 0

  /** Returns whether no node can still respond. A node that has only just failed might. */
  const isHopeless = (height = Number.POSITIVE_INFINITY): boolean =>
    nodes.every(
      node => node.isDown('reading') || node.trouble('reading')?.rank === 'foreign' || node.hasPruned(height)
    )

  /**
   * Tries the candidates in order, the next one if a node fails, is late, follows another chain or lacks a block that
   * the next one has. A late response still counts if it arrives before the others.
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  async function read<T>(
    question: Question,
    work: (node: PooledNode) => Promise<T>,
    height?: number
  ): Promise<Read<T>> {
    let missing: Read<T> | undefined
    let foreign: Read<T> | undefined
    let failure: unknown
    let pruned: HistoryPrunedError | undefined

    /** @returns undefined for an unusable response */
    async function attempt(from: PooledNode): Promise<Read<T> | undefined> {
      // Read this before the call: a node must have the blocks that it has already reported.
      const reported = from.height
      if (missing && height !== undefined && reported < height) return undefined
      try {
        const answer = await work(from)
        if (isForeign(answer)) {
          foreign = { from, answer }
          if (question === 'block') from.quarantine('has blocks from another chain')
        } else if (answer === undefined && height !== undefined) {
          missing = { from, answer }
          if (reported > height + MAX_LAG)
            from.failed(question, `reported block ${reported} but does not have block ${height}`)
        } else return { from, answer }
      } catch (error) {
        if (error instanceof HistoryPrunedError) pruned = error
        else failure = error
      }
      return undefined
    }

    const attempts: Promise<Read<T> | undefined>[] = []
    const inTurn = candidates(nodes, 'reading', height)
    for (const node of inTurn) {
      const latest = attempt(node)
      attempts.push(latest)
      const late = () => node.failed(question, 'did not respond in time')
      const isLast = attempts.length === inTurn.length
      const first = isLast ? firstOf(attempts) : Promise.race([firstOf(attempts), latest])
      const found = await (isLast ? first : within(IMPATIENCE_MS, first, late, clock))
      if (found) return found
    }
    if (missing) return missing
    if (isHopeless(height)) {
      if (foreign) return foreign
      if (pruned) throw pruned
    }
    throw (
      failure ??
      new NodeUnavailableError(nodes.map(({ name }) => name).join(', '), 'no node gave a usable response')
    )
  }

  /** Returns the nodes that might have a block, those known to have it first. */
  const withBlock = (height: number): PooledNode[] =>
    nodesToConfirm(nodes, 'reading')
      .filter(node => !node.hasPruned(height))
      .sort((one, other) => Number(other.height >= height) - Number(one.height >= height))

  async function blockOf(from: PooledNode, height: number): Promise<NodeBlock | undefined> {
    const block = await from.ask('block', node => node.block(height))
    if (!block) return undefined
    if (!isForeign(block)) from.has(height)
    return { ...block, node: from.name }
  }

  /** Reads the block from a second node. Waits for that node unless it is known to be behind. */
  function askSecond(from: PooledNode, height: number): Promise<NodeBlock | undefined> {
    const end = clock.elapsed() + PATIENCE_MS
    async function poll(): Promise<NodeBlock | undefined> {
      for (;;) {
        const block = await blockOf(from, height)
        if (block || clock.elapsed() >= end || from.trouble('reading')) return block
        await new Promise<void>(resolve => clock.after(STEP_MS, resolve))
      }
    }
    function late(): undefined {
      // Skip a late node, so that the next blocks do not have to wait for it. A node without the block is not late.
      if (from.height >= height) from.failed('block', 'did not respond in time')
    }
    return within(
      PATIENCE_MS,
      poll().catch(() => undefined),
      late,
      clock
    )
  }

  /** Returns whether a node other than `reader` is advancing and will reach this height. */
  function isAwaited(height: number, reader: PooledNode): boolean {
    const since = awaitedSince.get(height) ?? clock.elapsed()
    const goesOn = nodes.some(node => node !== reader && !node.hasPruned(height) && node.isGoingOn())
    const isEarly = goesOn && clock.elapsed() - since < MAX_AWAITED_MS
    if (isEarly) awaitedSince.set(height, since)
    else awaitedSince.delete(height)
    return isEarly
  }

  return {
    read,
    /** 0 before the first block. */
    get newest(): number {
      return newest
    },
    async block(height: number): Promise<PoolBlock | undefined> {
      const early = newestOf(nodes) >= height ? withBlock(height)[1] : undefined
      const asked = early && askSecond(early, height)
      const { from, answer: block } = await read('block', node => blockOf(node, height), height)
      if (!block) return undefined
      newest = Math.max(newest, height)
      const isOther = early !== undefined && early !== from
      const other = isOther ? early : withBlock(height).find(node => node !== from)
      if (!other) return block
      const second = await (isOther ? asked : askSecond(other, height))
      if (!second) return { ...block, isAwaited: isAwaited(height, from) }
      awaitedSince.delete(height)
      return { ...block, second }
    }
  }
}
