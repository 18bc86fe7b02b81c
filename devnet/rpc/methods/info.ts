import { toHex } from '@cosmjs/encoding'
import type { Chain } from '../../chain/chain.ts'
import { sha256 } from '../../chain/hashes.ts'
import type { Methods } from '../dispatch.ts'
import { toBase64 } from '../encoding/bytes.ts'
import type { RpcFaults } from '../faults.ts'
import { resolveBlock, resolveHeight } from '../heights.ts'
import { paginate } from '../pages.ts'

/** The methods about the node and the network. */
export function infoMethods(chain: Chain, faults: RpcFaults): Methods {
  return {
    health: { params: [], call: () => ({}) },
    status: { params: [], call: () => status(chain, faults) },
    genesis: { params: [], call: () => ({ genesis: genesis(chain) }) },
    validators: {
      params: ['height', 'page', 'per_page'],
      call: params => {
        const height = resolveHeight(chain, chain.height + 1, params.int('height'))
        const all = [{ ...encodeValidator(chain), proposer_priority: '0' }]
        const validators = paginate(all, params.int('page'), params.int('per_page'))
        return {
          block_height: String(height),
          validators,
          count: String(validators.length),
          total: String(all.length)
        }
      }
    },
    consensus_params: {
      params: ['height'],
      call: params => ({
        block_height: String(resolveHeight(chain, chain.height + 1, params.int('height'))),
        consensus_params: encodeConsensusParams(chain)
      })
    }
  }
}

/** @throws Error before the first block, because clients cannot read a status without block hashes */
function status(chain: Chain, { statusAhead }: RpcFaults) {
  if (chain.height === 0) throw new Error('the first block is not committed yet')
  const latest = resolveBlock(chain, undefined)
  const earliest = resolveBlock(chain, chain.base)
  return {
    node_info: {
      protocol_version: { p2p: '8', block: '11', app: '0' },
      id: toHex(sha256(chain.validator.pubKey).subarray(0, 20)),
      listen_addr: 'tcp://0.0.0.0:26656',
      network: chain.chainId,
      version: '0.37.1',
      channels: '40202122233038606100',
      moniker: 'devnet',
      other: { tx_index: 'on', rpc_address: 'tcp://0.0.0.0:26657' }
    },
    sync_info: {
      latest_block_hash: latest.hash,
      latest_app_hash: latest.appHash,
      latest_block_height: String(latest.height + statusAhead),
      latest_block_time: latest.time,
      earliest_block_hash: earliest.hash,
      earliest_app_hash: earliest.appHash,
      earliest_block_height: String(earliest.height),
      earliest_block_time: earliest.time,
      catching_up: false
    },
    validator_info: encodeValidator(chain)
  }
}

/** The genesis document, completed with the fields that CometBFT itself writes. */
function genesis(chain: Chain) {
  const { address, pub_key, voting_power } = encodeValidator(chain)
  return {
    genesis_time: chain.block(chain.base)?.time,
    chain_id: chain.chainId,
    initial_height: '1',
    consensus_params: encodeConsensusParams(chain),
    validators: [{ address, pub_key, power: voting_power, name: 'devnet' }],
    ...chain.genesis,
    app_hash: chain.genesis['app_hash'] ?? ''
  }
}

/** The chain's limits, and the Cosmos SDK's defaults for the other consensus parameters. */
function encodeConsensusParams({ consensusParams }: Chain) {
  return {
    block: { max_bytes: String(consensusParams.maxBytes), max_gas: String(consensusParams.maxGas) },
    evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' }
  }
}

/** The one validator, as `status` shows it. */
function encodeValidator({ validator }: Chain) {
  return {
    address: validator.address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.pubKey) },
    voting_power: String(validator.votingPower)
  }
}
