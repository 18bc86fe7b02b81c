import type { BlockTransaction, ChainBlock } from '../../services/chain-client/index.ts'

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

/** Returns a successful transaction without content, events or results. */
export function blockTransaction(change: Partial<BlockTransaction> = {}): BlockTransaction {
  const empty = { bytes: new Uint8Array(), data: new Uint8Array(), events: [] }
  return { hash: 'TX', code: 0, codespace: '', log: '', gasWanted: 9n, gasUsed: 5n, ...empty, ...change }
}
