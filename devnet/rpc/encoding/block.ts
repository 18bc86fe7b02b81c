import type { Block } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { toBase64 } from './bytes.ts'
import { encodeBlockId, encodeCommit, NO_COMMIT } from './commit.ts'
import { encodeHeader } from './header.ts'

/** Bytes of a block besides its transactions: header, last commit, framing. */
const BLOCK_OVERHEAD = 600

export function encodeBlock(chain: Chain, block: Block) {
  const lastCommit = { height: block.height - 1, hash: block.lastBlockHash, time: block.time }
  return {
    header: encodeHeader(chain, block),
    data: { txs: block.txs.map(({ bytes }) => toBase64(bytes)) },
    evidence: { evidence: [] },
    last_commit: block.lastBlockHash === '' ? NO_COMMIT : encodeCommit(chain, lastCommit)
  }
}

/** A block with its id, as `block` and `block_search` answer. */
export function encodeBlockResult(chain: Chain, block: Block) {
  return { block_id: encodeBlockId(block.hash), block: encodeBlock(chain, block) }
}

/** A block without its content, as `blockchain` lists them. */
export function encodeBlockMeta(chain: Chain, block: Block) {
  const size = block.txs.reduce((sum, { bytes }) => sum + bytes.length, BLOCK_OVERHEAD)
  return {
    block_id: encodeBlockId(block.hash),
    block_size: String(size),
    header: encodeHeader(chain, block),
    num_txs: String(block.txs.length)
  }
}
