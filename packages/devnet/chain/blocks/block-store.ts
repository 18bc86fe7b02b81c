import type { TxResult } from '../tx/context.ts'
import type { Header } from './header.ts'

/** A committed block. All hashes are upper-case hex. */
export interface Block extends Header {
  hash: string
  /** When the validator voted for the block, RFC 3339. Becomes the time of the next block. */
  committedAt: string
  txs: CommittedTx[]
}

export interface CommittedTx {
  hash: string
  height: number
  index: number
  bytes: Uint8Array
  result: TxResult
}

export function createBlockStore() {
  const blocks: Block[] = []
  const txs = new Map<string, CommittedTx>()

  return {
    get newest(): Block | undefined {
      return blocks.at(-1)
    },
    add(block: Block): void {
      blocks.push(block)
      for (const tx of block.txs) {
        // As in CometBFT, a later failure of the same bytes does not overwrite a success.
        if (tx.result.code === 0 || txs.get(tx.hash)?.result.code !== 0) txs.set(tx.hash, tx)
      }
    },
    block: (height: number): Block | undefined => blocks[height - 1],
    tx: (hash: string): CommittedTx | undefined => txs.get(hash.toUpperCase())
  }
}
