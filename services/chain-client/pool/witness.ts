import type { Clock } from '../../clock.ts'
import { HistoryPrunedError } from '../errors.ts'
import type { NodeBlock, PoolBlock } from '../types.ts'
import { newestOf, type PooledNode, witnesses } from './node-health.ts'

/** How long a second node is waited for; it may have the newest block a little later than the first. */
const PATIENCE_MS = 1000
const STEP_MS = 50

/** A block that one node alone has had for so long is believed: the other is further behind. */
const MOST_AWAITED_MS = 30_000

/**
 * Asks a second node for the blocks that one has answered (interface 19.20).
 * @returns a function that asks the node which is likely to be the second one, while the first is asked. Its result tells what
 *   another node than `reader` has at this height, and whether it is awaited of one. It never throws
 */
export function createWitnesses(nodes: readonly PooledNode[], clock: Clock) {
  /** When each of the blocks was first read that are awaited of a second node. */
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
  async function read(from: PooledNode, height: number, end: number): Promise<NodeBlock | undefined> {
    for (;;) {
      const block = await from.node.block(height)
      from.answered('block')
      if (block) {
        from.has(height)
        return { ...block, node: from.name }
      }
      if (clock.elapsed() >= end || from.trouble('reading')) return undefined
      await new Promise<void>(resolve => clock.after(STEP_MS, resolve))
    }
  }

  /** @throws what the node did instead of answering */
  function ask(from: PooledNode, height: number): Promise<NodeBlock | undefined> {
    let cancel = () => {}
    const late = new Promise<undefined>((resolve, reject) => {
      cancel = clock.after(PATIENCE_MS, () => {
        // A node that does not have the block yet is not late.
        if (from.height >= height) reject(new Error('answers late'))
        else resolve(undefined)
      })
    })
    const end = clock.elapsed() + PATIENCE_MS
    const asked = Promise.race([read(from, height, end), late]).finally(cancel)
    // Nobody waits for it when no node can be read.
    asked.catch(() => {})
    return asked
  }

  return (height: number) => {
    const second = newestOf(nodes) >= height ? inOrder(height)[1] : undefined
    const early = second && ask(second, height)
    return async (reader: PooledNode): Promise<Pick<PoolBlock, 'witness' | 'isAwaited'>> => {
      const isEarly = second !== undefined && second !== reader
      const other = isEarly ? second : inOrder(height).find(node => node !== reader)
      if (!other) return {}
      try {
        const witness = await (isEarly ? early : ask(other, height))
        if (witness) {
          awaitedSince.delete(height)
          return { witness }
        }
      } catch (error) {
        if (error instanceof HistoryPrunedError) other.prunedBelow(error.lowest)
        // It rests, so that the next blocks do not wait for it.
        else other.failed('block', error)
      }
      return { isAwaited: isAwaited(height, reader) }
    }
  }
}
