import { fromHex } from '@cosmjs/encoding'
import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import { merkleRoot } from '../../chain/hashes.ts'
import { toBase64 } from './bytes.ts'

/** The Merkle proof (RFC 6962) that a transaction is in its block, over the transactions' hashes as CometBFT has it. */
export function encodeTxProof(block: Block, { bytes, hash, index }: CommittedTx) {
  return {
    root_hash: block.dataHash,
    data: toBase64(bytes),
    proof: {
      total: String(block.txs.length),
      index: String(index),
      leaf_hash: toBase64(merkleRoot([fromHex(hash)])),
      aunts: aunts(
        block.txs.map(tx => fromHex(tx.hash)),
        index
      ).map(toBase64)
    }
  }
}

/** The siblings on the way from a leaf up to the root. */
function aunts(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return []
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  const left = leaves.slice(0, split)
  const right = leaves.slice(split)
  return index < split
    ? [...aunts(left, index), merkleRoot(right)]
    : [...aunts(right, index - split), merkleRoot(left)]
}
