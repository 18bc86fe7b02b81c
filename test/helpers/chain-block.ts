import type { ChainBlock } from '../../services/chain-client/index.ts'

/** Returns an empty block whose hash is `B` plus its height, linked to the previous block. */
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
