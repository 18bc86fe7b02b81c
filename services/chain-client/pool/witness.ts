import type { Clock } from '../../clock.ts'
import { HistoryPrunedError } from '../errors.ts'
import type { NodeBlock, PoolBlock } from '../types.ts'
import { witnesses } from './candidates.ts'
import type { NodeState } from './node-state.ts'
import type { PoolHealth } from './pool-health.ts'

/** How long a second node is waited for; it may have the newest block a little later than the first. */
const PATIENCE_MS = 1000
const STEP_MS = 50

/** A block that one node alone has had for so long is believed: the other is further behind. */
const MOST_AWAITED_MS = 30_000

/** Asks a second node for what one has answered (interface 19.20). */
export interface Witnesses {
  /**
   * Asks the node that is likely to be the second one, while the first is asked, for a block that one of them has.
   * @returns what another node than `reader` has at this height, and whether it is awaited of one. Never throws
   */
  of(height: number): (reader: NodeState) => Promise<Pick<PoolBlock, 'witness' | 'isAwaited'>>
}

export function createWitnesses(states: readonly NodeState[], health: PoolHealth, clock: Clock): Witnesses {
  /** When each of the blocks was first read that are awaited of a second node. */
  const awaitedSince = new Map<number, number>()

  /** Those that are known to have the block come first. */
  function inOrder(height: number): NodeState[] {
    const possible = witnesses(states, { use: 'reading', expectedChain: health.expectedChain })
    return possible
      .filter(state => !state.hasPruned(height))
      .sort((one, other) => Number(other.height >= height) - Number(one.height >= height))
  }

  function isAwaited(height: number, reader: NodeState): boolean {
    const since = awaitedSince.get(height) ?? clock.elapsed()
    const others = states.filter(state => state !== reader && !state.hasPruned(height))
    const goesOn = others.some(state => state.isGoingOn(health.expectedChain))
    if (goesOn && clock.elapsed() - since < MOST_AWAITED_MS) {
      awaitedSince.set(height, since)
      return true
    }
    awaitedSince.delete(height)
    return false
  }

  /** The block of this node, which is waited for unless the node is known to be behind. */
  async function read(state: NodeState, height: number, end: number): Promise<NodeBlock | undefined> {
    for (;;) {
      const block = await state.node.block(height)
      health.answered(state, 'block')
      if (block) {
        state.has(height)
        return { ...block, node: state.name }
      }
      if (clock.elapsed() >= end || state.trouble('reading', health.expectedChain)) return undefined
      await new Promise<void>(resolve => clock.after(STEP_MS, resolve))
    }
  }

  /** @throws what the node did instead of answering */
  function ask(state: NodeState, height: number): Promise<NodeBlock | undefined> {
    const asked = new Promise<NodeBlock | undefined>((resolve, reject) => {
      const cancel = clock.after(PATIENCE_MS, () => {
        // A node that does not have the block yet is not late.
        if (state.height >= height) reject(new Error('answers late'))
        else resolve(undefined)
      })
      read(state, height, clock.elapsed() + PATIENCE_MS)
        .then(resolve, reject)
        .finally(cancel)
    })
    // Nobody waits for it when no node can be read.
    asked.catch(() => {})
    return asked
  }

  return {
    of(height) {
      const second = health.newestOf(states) >= height ? inOrder(height)[1] : undefined
      const early = second && ask(second, height)
      return async reader => {
        const isEarly = second !== undefined && second !== reader
        const other = isEarly ? second : inOrder(height).find(state => state !== reader)
        if (!other) return {}
        try {
          const witness = await (isEarly ? early : ask(other, height))
          if (witness) {
            awaitedSince.delete(height)
            return { witness }
          }
        } catch (error) {
          if (error instanceof HistoryPrunedError) health.update(() => other.prunedBelow(error.lowest))
          // It rests, so that the next blocks do not wait for it.
          else health.failed(other, 'block', error)
        }
        return { isAwaited: isAwaited(height, reader) }
      }
    }
  }
}
