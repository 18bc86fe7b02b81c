import type { Chain } from '../../chain/chain.ts'
import { txHash, upperHex } from '../../chain/hashes.ts'
import { encodeTx, toBase64 } from '../encoding.ts'
import { findTx, type RpcFaults } from '../faults.ts'
import type { Methods } from '../json-rpc.ts'

/** The maximum page size of `unconfirmed_txs`. */
const MAX_UNCONFIRMED = 100

/**
 * Creates the methods for the mempool and the transaction index, which CosmJS searches by hash. A rejection by the
 * mempool (transaction cached or too large, mempool full) is a JSON-RPC error. A failed CheckTx is a result with its
 * code.
 */
export const txMethods = (chain: Chain, faults: RpcFaults): Methods => ({
  tx(params) {
    const hash = upperHex(params.base64('hash'))
    const tx = findTx(chain, faults, hash)
    if (tx === undefined) throw new Error(`tx (${hash}) not found`)
    return encodeTx(tx)
  },
  tx_search(params) {
    const query = params.string('query') ?? ''
    const [, hash] = /^tx\.hash='([0-9A-F]{64})'$/i.exec(query) ?? []
    if (hash === undefined) throw new Error(`failed to parse query: ${query}`)
    const tx = findTx(chain, faults, hash)
    return { txs: tx ? [encodeTx(tx)] : [], total_count: tx ? '1' : '0' }
  },
  unconfirmed_txs(params) {
    const txs = chain.mempool.list(Math.min(params.int('limit') ?? 30, MAX_UNCONFIRMED))
    const { size, bytes } = chain.mempool
    return {
      n_txs: String(txs.length),
      total: String(size),
      total_bytes: String(bytes),
      txs: txs.map(toBase64)
    }
  },
  broadcast_tx_sync(params) {
    const tx = params.base64('tx')
    const { code, log, codespace } = chain.submitTx(tx)
    return { code, data: '', log, codespace, hash: txHash(tx) }
  }
})
