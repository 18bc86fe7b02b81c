import { createHash } from 'node:crypto'
import { partsHash } from '../../chain/blocks/header.ts'
import type { Chain } from '../../chain/chain.ts'
import { toBase64 } from './bytes.ts'

/** The block's hash and that of its single part. */
export function encodeBlockId(hash: string) {
  return { hash, parts: { total: 1, hash: partsHash(hash) } }
}

/** The block id where there is no block. */
export const NO_BLOCK_ID = { hash: '', parts: { total: 0, hash: '' } }

/**
 * The commit of a block by the one validator. The signature has the right size and is the same for the same block,
 * but does not verify.
 * @param time when the validator signed: the next block's time, or before that block the block's own
 */
export function encodeCommit(
  chain: Chain,
  { height, hash, time }: { height: number; hash: string; time: string }
) {
  return {
    height: String(height),
    round: 0,
    block_id: encodeBlockId(hash),
    signatures: [
      {
        block_id_flag: 2,
        validator_address: chain.validator.address,
        timestamp: time,
        signature: toBase64(createHash('sha512').update(hash).digest())
      }
    ]
  }
}

/** The last commit that the first block carries. */
export const NO_COMMIT = { height: '0', round: 0, block_id: NO_BLOCK_ID, signatures: [] }
