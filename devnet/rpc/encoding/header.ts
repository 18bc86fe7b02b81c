import type { Block } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { sha256, upperHex } from '../../chain/hashes.ts'
import { EMPTY_HASH } from './bytes.ts'
import { encodeBlockId, NO_BLOCK_ID } from './commit.ts'

/**
 * A block's header. The hashes that the chain does not keep (of commits, results, validators and parameters) are
 * computed from those values and change with them, but are not the Merkle roots of a real node.
 */
export function encodeHeader(chain: Chain, block: Block) {
  const isFirst = block.lastBlockHash === ''
  const validatorsHash = upperHex(sha256(chain.validator.pubKey, String(chain.validator.votingPower)))
  const { maxBytes, maxGas } = chain.consensusParams
  return {
    version: { block: '11' },
    chain_id: block.chainId,
    height: String(block.height),
    time: block.time,
    last_block_id: isFirst ? NO_BLOCK_ID : encodeBlockId(block.lastBlockHash),
    last_commit_hash: isFirst ? EMPTY_HASH : upperHex(sha256('commit', block.lastBlockHash)),
    data_hash: block.dataHash,
    validators_hash: validatorsHash,
    next_validators_hash: validatorsHash,
    consensus_hash: upperHex(sha256(`${maxBytes}/${maxGas}`)),
    app_hash: block.appHash,
    last_results_hash: isFirst ? EMPTY_HASH : resultsHash(chain.block(block.height - 1)),
    evidence_hash: EMPTY_HASH,
    proposer_address: chain.validator.address
  }
}

function resultsHash(block: Block | undefined): string {
  const results = block?.txs.map(({ result: { code, data, gasUsed } }) => [
    code,
    upperHex(data),
    String(gasUsed)
  ])
  return results === undefined || results.length === 0
    ? EMPTY_HASH
    : upperHex(sha256(JSON.stringify(results)))
}
