import type { Genesis } from './genesis.ts'
import { GenesisNode } from './genesis-node.ts'

/** The consensus parameters of a chain. The `evidence` and `pubKeyTypes` are only shown. */
export interface ConsensusParams {
  /** Size limit of a block in bytes, header and commit included. */
  maxBytes: bigint
  /** Limit of the gas wanted by the transactions of one block; -1 = no limit. */
  maxGas: bigint
  evidence: { maxAgeNumBlocks: string; maxAgeDuration: string; maxBytes: string }
  pubKeyTypes: string[]
}

/** The parameters of a genesis, or the Cosmos SDK's defaults. @throws GenesisError */
export function genesisConsensusParams(genesis: Genesis): ConsensusParams {
  const root = new GenesisNode(genesis, '')
  const own = root.field('consensus_params')
  const params = own.isAbsent ? root.field('consensus').optionalField('params') : own
  const block = params.optionalField('block')
  const evidence = params.optionalField('evidence')
  const types = params.optionalField('validator').optionalField('pub_key_types').items()
  return {
    maxBytes: limit(block.optionalField('max_bytes'), 22_020_096n),
    maxGas: limit(block.optionalField('max_gas'), 40_000_000n),
    evidence: {
      maxAgeNumBlocks: evidence.optionalField('max_age_num_blocks').optionalString() || '100000',
      maxAgeDuration: evidence.optionalField('max_age_duration').optionalString() || '172800000000000',
      maxBytes: evidence.optionalField('max_bytes').optionalString() || '1048576'
    },
    pubKeyTypes: types.length === 0 ? ['ed25519'] : types.map(type => type.string())
  }
}

function limit(node: GenesisNode, fallback: bigint): bigint {
  return node.value === '-1' ? -1n : node.uint(fallback)
}
