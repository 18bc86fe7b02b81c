import type { ChainBlock, ChainClient } from '../../chain-client/index.ts'

/** The most blocks that are requested ahead, because each may be large. */
const MAX_AHEAD = 4

/** Reads blocks in order, faster than one request at a time would. */
export interface BlockReader {
  /** The height of the newest block that was read; 0 before the first. */
  readonly newest: number
  /** @returns the block at this height; undefined while it does not exist. @throws NodeUnavailableError */
  next(height: number): Promise<ChainBlock | undefined>
}

/**
 * Reads blocks in order. While each one exists already, the blocks after it are requested too. So the reader catches up
 * even with a node that takes longer to answer than to make a block.
 */
export function createBlockReader(chain: Pick<ChainClient, 'block'>): BlockReader {
  const prefetched = new Map<number, Promise<ChainBlock | undefined>>()
  let newest = 0
  let blocksInARow = 0

  async function ask(height: number): Promise<ChainBlock | undefined> {
    const block = await chain.block(height)
    if (block) newest = Math.max(newest, height)
    return block
  }

  /** Nothing is requested ahead at the newest block, and more the further behind the reader is. */
  function prefetch(height: number): void {
    const last = height + Math.min(blocksInARow - 1, MAX_AHEAD)
    for (let next = height + 1; next <= last; next++) {
      // An error is ignored here: the block is requested again when its turn comes.
      const block = prefetched.get(next) ?? ask(next).catch(() => undefined)
      prefetched.set(next, block)
    }
  }

  return {
    get newest() {
      return newest
    },
    async next(height) {
      const early = prefetched.get(height)
      prefetched.delete(height)
      prefetch(height)
      // A block that did not exist when it was prefetched may exist now.
      const block = (await early) ?? (await ask(height))
      blocksInARow = block ? blocksInARow + 1 : 0
      return block
    }
  }
}
