import type { ChainBlock } from '../../services/chain-client/index.ts'

/** An empty block whose hash is `B` and its height, and which follows the one before. */
export function chainBlock(height: number, change: Partial<ChainBlock> = {}): ChainBlock {
  return {
    chainId: 'chain-1',
    height,
    hash: `B${height}`,
    time: 0,
    previousHash: `B${height - 1}`,
    resultsHash: 'NONE',
    lastResultsHash: 'NONE',
    transactions: [],
    ...change
  }
}
