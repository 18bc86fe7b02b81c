import { within } from '../../async/within.ts'
import type { Clock } from '../../clock.ts'
import type { NodeBlock, PoolBlock } from '../types.ts'
import { newestOf, type PooledNode, witnesses } from './node-health.ts'

/** How long a second node is waited for; it may have the newest block a little later than the first. */
const PATIENCE_MS = 1000
const STEP_MS = 50

/** After this time a block that only one node has is believed: the other is further behind. */
const MOST_AWAITED_MS = 30_000

/**
 * Asks a second node for the blocks that one has answered (interface 19.20).
 * @returns a function that asks the node which is likely to be the second one, while the first is asked. Its result returns
 *   the block of another node than `reader`, and whether that is awaited. It never throws
 */
export function createWitnesses(nodes: readonly PooledNode[], clock: Clock) {
  /** When each of the awaited blocks was first read. */
  const awaitedSince = new Map<number, number>()

  /** Those that are known to have the block come first. */
  const inOrder = (height: number): PooledNode[] =>
    witnesses(nodes, 'reading')
      .filter(node => !node.hasPruned(height))
      .sort((one, other) => Number(other.height >= height) - Number(one.height >= height))

  function isAwaited(height: number, reader: PooledNode): boolean {
    const since = awaitedSince.get(height) ?? clock.elapsed()
    const goesOn = nodes.some(node => node !== reader && !node.hasPruned(height) && node.isGoingOn())
    const isEarly = goesOn && clock.elapsed() - since < MOST_AWAITED_MS
    if (isEarly) awaitedSince.set(height, since)
    else awaitedSince.delete(height)
    return isEarly
  }

  /** The block of this node, which is waited for unless the node is known to be behind. */
  function ask(from: PooledNode, height: number): Promise<NodeBlock | undefined> {
    const end = clock.elapsed() + PATIENCE_MS
    async function poll(): Promise<NodeBlock | undefined> {
      for (;;) {
        const block = await from.ask('block', node => node.block(height))
        if (block) from.has(height)
        if (block) return { ...block, node: from.name }
        if (clock.elapsed() >= end || from.trouble('reading')) return undefined
        await new Promise<void>(resolve => clock.after(STEP_MS, resolve))
      }
    }
    function late(): undefined {
      // A node that does not have the block yet is not late. One that is late is passed over, so that the next blocks do not wait.
      if (from.height >= height) from.failed('block', 'answers late')
    }
    return within(
      PATIENCE_MS,
      poll().catch(() => undefined),
      late,
      clock
    )
  }

  return (height: number) => {
    const second = newestOf(nodes) >= height ? inOrder(height)[1] : undefined
    const early = second && ask(second, height)
    return async (reader: PooledNode): Promise<Pick<PoolBlock, 'witness' | 'isAwaited'>> => {
      const isEarly = second !== undefined && second !== reader
      const other = isEarly ? second : inOrder(height).find(node => node !== reader)
      if (!other) return {}
      const witness = await (isEarly ? early : ask(other, height))
      if (!witness) return { isAwaited: isAwaited(height, reader) }
      awaitedSince.delete(height)
      return { witness }
    }
  }
}
