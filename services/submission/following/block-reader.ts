import type { ChainBlock, ChainClient } from '../../chain-client/index.ts'

/** The most blocks that are asked for ahead of their turn: each may be large. */
const MAX_AHEAD = 4

/** Gives out one block after the other, faster than one question at a time would. */
export interface BlockReader {
  /** The height of the newest block that a node has given; 0 before the first. */
  readonly newest: number
  /** @returns the block at this height; undefined while there is none. @throws NodeUnavailableError */
  next(height: number): Promise<ChainBlock | undefined>
}

/**
 * Reads blocks in order. As long as each is there already, those after it are asked for as well, so that a node
 * whose answers take longer than its blocks is caught up with all the same.
 */
export function createBlockReader(chain: ChainClient): BlockReader {
  const asked = new Map<number, Promise<ChainBlock | undefined>>()
  let newest = 0
  let foundInARow = 0

  async function ask(height: number): Promise<ChainBlock | undefined> {
    const block = await chain.block(height)
    if (block) newest = Math.max(newest, height)
    return block
  }

  /** At the newest block nothing is asked ahead; the further behind, the more. */
  function askAhead(height: number): void {
    const last = height + Math.min(foundInARow - 1, MAX_AHEAD)
    for (let next = height + 1; next <= last; next++) {
      // A failure is met again, and told, when the block's turn comes.
      const block = asked.get(next) ?? ask(next).catch(() => undefined)
      asked.set(next, block)
    }
  }

  return {
    get newest() {
      return newest
    },
    async next(height) {
      const early = asked.get(height)
      asked.delete(height)
      askAhead(height)
      // What was not there when it was asked for ahead of its turn may be there now.
      const block = (await early) ?? (await ask(height))
      foundInARow = block ? foundInARow + 1 : 0
      return block
    }
  }
}
