import type { ChainBlock, ChainClient } from '../../services/chain-client/index.ts'
import { systemClock } from '../../services/clock.ts'
import { createBlockReader } from '../../services/submission/following/block-reader.ts'

/** Reads blocks one after the other, with those after each requested ahead. */
export interface Blocks {
  /**
   * @param height one more than that of the last call
   * @returns undefined while there is none
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  next(height: number): Promise<ChainBlock | undefined>
}

export function createBlocks(chain: Pick<ChainClient, 'block'>): Blocks {
  const reader = createBlockReader(chain, systemClock)
  let run: ChainBlock[] = []
  return {
    async next(height) {
      if (run.length === 0) run = await reader.next(height)
      return run.shift()
    }
  }
}
