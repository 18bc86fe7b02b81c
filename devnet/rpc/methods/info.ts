import { toHex } from '@cosmjs/encoding'
import type { Chain } from '../../chain/chain.ts'
import { sha256 } from '../../chain/hashes.ts'
import { cometOf } from '../comet.ts'
import type { Methods } from '../dispatch.ts'
import { toBase64 } from '../encoding/bytes.ts'
import { encodeConsensusParams } from '../encoding/consensus-params.ts'
import type { RpcFaults } from '../faults.ts'
import { resolveBlock, resolveHeight } from '../heights.ts'
import { paginate } from '../pages.ts'

const NODE_VERSIONS = { '0.37': '0.37.5', '0.38': '0.38.22' }

/** The methods about the node and the network. */
export function infoMethods(chain: Chain, faults: RpcFaults): Methods {
  return {
    health: { params: {}, call: () => ({}) },
    status: { params: {}, call: () => status(chain, faults) },
    genesis: { params: {}, call: () => ({ genesis: genesis(chain) }) },
    genesis_chunked: {
      params: { chunk: 'uint' },
      call: params => genesisChunk(chain, params.int('chunk') ?? 0)
    },
    net_info: {
      params: {},
      call: () => ({ listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] })
    },
    validators: {
      params: { height: 'int64', page: 'int', per_page: 'int' },
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
      params: { height: 'int64' },
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
      version: NODE_VERSIONS[cometOf(chain)],
      channels: '402021222330386061',
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
    validators: [{ address, pub_key, power: voting_power, name: chain.validator.name }],
    ...chain.genesis,
    app_hash: chain.genesis['app_hash'] ?? ''
  }
}

/** The genesis is small enough for one chunk. */
function genesisChunk(chain: Chain, chunk: number) {
  if (chunk > 0) throw new Error(`there are 0 chunks, ${chunk} is invalid`)
  const data = Buffer.from(JSON.stringify(genesis(chain))).toString('base64')
  return { chunk: '0', total: '1', data }
}

/** The one validator, as `status` shows it. */
function encodeValidator({ validator }: Chain) {
  return {
    address: validator.address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.pubKey) },
    voting_power: String(validator.votingPower)
  }
}
