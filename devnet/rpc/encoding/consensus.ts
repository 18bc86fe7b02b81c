import type { Chain } from '../../chain/chain.ts'
import { toBase64 } from './bytes.ts'

/** Consensus parameters: the chain's limits, and for the rest the defaults of the Cosmos SDK. */
export function encodeConsensusParams({ consensusParams }: Chain) {
  return {
    block: { max_bytes: String(consensusParams.maxBytes), max_gas: String(consensusParams.maxGas) },
    evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' }
  }
}

/** The one validator, as `status` shows it. */
export function encodeValidator({ validator }: Chain) {
  return {
    address: validator.address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.pubKey) },
    voting_power: String(validator.votingPower)
  }
}
