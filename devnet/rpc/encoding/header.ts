import type { Block } from '../../chain/blocks/block.ts'
import { BLOCK_VERSION, EMPTY_HASH } from '../../chain/blocks/header.ts'
import { encodeBlockId, NO_BLOCK_ID } from './commit.ts'

/** A block's header. */
export function encodeHeader(block: Block) {
  return {
    version: { block: String(BLOCK_VERSION) },
    chain_id: block.chainId,
    height: String(block.height),
    time: block.time,
    last_block_id: block.lastBlockHash === '' ? NO_BLOCK_ID : encodeBlockId(block.lastBlockHash),
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
