import { sha256, upperHex } from '../hashes.ts'

export const EMPTY_HASH = upperHex(sha256())

/**
 * The fields that the block hash covers. Hashes are upper-case hex. Those of commits, validators and parameters depend
 * on the contents, but are not the Merkle roots that a real node computes.
 */
export interface Header {
  chainId: string
  height: number
  time: string
  /** Empty in the first block. */
  lastBlockHash: string
  lastCommitHash: string
  dataHash: string
  validatorsHash: string
  consensusHash: string
  /** The application's state hash after the previous block. */
  appHash: string
  /** The hash of the previous block's results. */
  lastResultsHash: string
  proposerAddress: string
}

/** Encodes a block id; an empty hash stands for no block. A block has a single part. */
export function encodeBlockId(hash: string) {
  const parts = hash === '' ? { total: 0, hash: '' } : { total: 1, hash: upperHex(sha256('parts', hash)) }
  return { hash, parts }
}

export function encodeHeader(block: Header) {
  return {
    version: { block: '11' },
    chain_id: block.chainId,
    height: String(block.height),
    time: block.time,
    last_block_id: encodeBlockId(block.lastBlockHash),
    last_commit_hash: block.lastCommitHash,
    data_hash: block.dataHash,
    validators_hash: block.validatorsHash,
    next_validators_hash: block.validatorsHash,
    consensus_hash: block.consensusHash,
    app_hash: block.appHash,
    last_results_hash: block.lastResultsHash,
    evidence_hash: EMPTY_HASH,
    proposer_address: block.proposerAddress
  }
}
