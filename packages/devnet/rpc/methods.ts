import { toHex } from '@cosmjs/encoding'
import type { Block } from '../chain/blocks/block-store.ts'
import { sha256, txHash, upperHex } from '../chain/hashes.ts'
import type { Chain } from '../chain/index.ts'
import {
  base64OrNull,
  encodeBlockResult,
  encodeBlockResults,
  encodeConsensusParams,
  encodeTx,
  encodeValidator
} from './encoding.ts'
import type { Methods } from './json-rpc.ts'

/**
 * Creates the methods that HTTP and WebSocket share. A rejection by the mempool is a JSON-RPC error, a failed CheckTx a
 * result with its code.
 */
export const createMethods = (chain: Chain): Methods => ({
  health: () => ({}),
  status: () => status(chain),
  // Only the parts of the genesis document that the server reads.
  genesis: () => ({
    genesis: { chain_id: chain.chainId, initial_height: String(chain.initialHeight) }
  }),
  consensus_params: ({ height }) => ({
    block_height: String(resolveHeight(chain, chain.height + 1, height)),
    consensus_params: encodeConsensusParams(chain)
  }),
  abci_query({ path = '', data = '', height: at = '0' }) {
    const { code, log, value, height, codespace } = chain.query(path, Buffer.from(data, 'hex'), Number(at))
    const none = { info: '', index: '0', key: null, proofOps: null }
    return {
      response: { ...none, code, log, value: base64OrNull(value), height: String(height), codespace }
    }
  },
  block: ({ height }) => encodeBlockResult(resolveBlock(chain, height)),
  block_results: ({ height }) => encodeBlockResults(resolveBlock(chain, height)),
  tx({ hash: text = '' }) {
    const hash = upperHex(Buffer.from(text, 'base64'))
    const tx = chain.tx(hash)
    if (tx === undefined) throw new Error(`tx (${hash}) not found`)
    return encodeTx(tx)
  },
  // Supports only searches by hash, which CosmJS uses.
  tx_search({ query = '' }) {
    const [, hash] = /^tx\.hash='([0-9A-F]{64})'$/i.exec(query) ?? []
    if (hash === undefined) throw new Error(`failed to parse query: ${query}`)
    const tx = chain.tx(hash)
    return { txs: tx ? [encodeTx(tx)] : [], total_count: tx ? '1' : '0' }
  },
  broadcast_tx_sync({ tx: text = '' }) {
    const tx = Buffer.from(text, 'base64')
    const { code, log, codespace } = chain.submitTx(tx)
    return { code, data: '', log, codespace, hash: txHash(tx) }
  }
})

function status(chain: Chain) {
  const latest = resolveBlock(chain)
  const earliest = resolveBlock(chain, String(chain.base))
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
      latest_block_height: String(latest.height),
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

/** @throws Error with CometBFT's message when the height does not exist or is pruned */
function resolveHeight({ base }: Chain, latest: number, text = String(latest)): number {
  const height = Number(text)
  if (height <= 0) throw new Error(`height must be greater than 0, but got ${height}`)
  if (height > latest) {
    throw new Error(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
  }
  if (height < base) throw new Error(`height ${height} is not available, lowest height is ${base}`)
  return height
}

function resolveBlock(chain: Chain, height?: string): Block {
  const resolved = resolveHeight(chain, chain.height, height)
  const block = chain.block(resolved)
  if (block === undefined) throw new Error(`height ${resolved} is not available`)
  return block
}
