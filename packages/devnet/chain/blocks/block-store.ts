import type { Block, CommittedTx } from './block.ts'

/** The committed blocks, and their transactions by hash. */
export interface BlockStore {
  readonly newest: Block | undefined
  add(block: Block): void
  block(height: number): Block | undefined
  tx(hash: string): CommittedTx | undefined
}

export function createBlockStore(): BlockStore {
  const blocks: Block[] = []
  const txs = new Map<string, CommittedTx>()

  return {
    get newest() {
      return blocks.at(-1)
    },
    add(block) {
      blocks.push(block)
      for (const tx of block.txs) {
        // As in CometBFT's index, a later failure of the same bytes does not overwrite a success.
        if (tx.result.code === 0 || txs.get(tx.hash)?.result.code !== 0) txs.set(tx.hash, tx)
      }
    },
    block: height => blocks[height - 1],
    tx: hash => txs.get(hash.toUpperCase())
  }
}
