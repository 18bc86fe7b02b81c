import type { Chain } from '../../chain/chain.ts'
import { cometOf } from '../comet.ts'

/** The consensus parameters, as the method of that name and a genesis show them. */
export function encodeConsensusParams(chain: Chain) {
  return {
    ...commonParams(chain),
    version: { app: '0' },
    ...(cometOf(chain) === '0.38' && { abci: { vote_extensions_enable_height: '0' } })
  }
}

/** The consensus parameters that the application returns with every block, though they do not change. */
export function encodeParamUpdates(chain: Chain) {
  return { ...commonParams(chain), version: {}, ...(cometOf(chain) === '0.38' && { abci: {} }) }
}

function commonParams({ consensusParams: { maxBytes, maxGas, evidence, pubKeyTypes } }: Chain) {
  return {
    block: { max_bytes: String(maxBytes), max_gas: String(maxGas) },
    evidence: {
      max_age_num_blocks: evidence.maxAgeNumBlocks,
      max_age_duration: evidence.maxAgeDuration,
      max_bytes: evidence.maxBytes
    },
    validator: { pub_key_types: pubKeyTypes }
  }
}
