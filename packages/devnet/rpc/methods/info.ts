import { toHex } from '@cosmjs/encoding'
import type { Chain } from '../../chain/chain.ts'
import { sha256 } from '../../chain/hashes.ts'
import { encodeConsensusParams, encodeValidator } from '../encoding.ts'
import type { RpcFaults } from '../faults.ts'
import { resolveBlock, resolveHeight } from '../heights.ts'
import type { Methods } from '../json-rpc.ts'

/** Creates the methods about the node and the network. */
export function infoMethods(chain: Chain, faults: RpcFaults): Methods {
  return {
    health: () => ({}),
    status: () => status(chain, faults),
    genesis: () => ({ genesis: genesis(chain) }),
    consensus_params: params => ({
      block_height: String(resolveHeight(chain, chain.height + 1, params.int('height'))),
      consensus_params: encodeConsensusParams(chain)
    })
  }
}

/**
 * Returns the node's status.
 * @throws Error before the first block: clients cannot parse a status without block hashes
 */
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

/** Returns the parts of the genesis document that the server reads. */
const genesis = ({ chainId, initialHeight }: Chain) => ({
  chain_id: chainId,
  initial_height: String(initialHeight)
})
