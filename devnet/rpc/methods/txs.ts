import type { Chain } from '../../chain/chain.ts'
import { upperHex } from '../../chain/hashes.ts'
import { encodeTx, toBase64 } from '../encoding.ts'
import type { TxIndex } from '../faults.ts'
import type { Methods } from '../json-rpc.ts'
import { inOrder, pageSize, paginate } from '../pages.ts'
import { parseQuery, searchTxs } from '../query.ts'

/** The methods about committed transactions and those in the mempool. */
export function txMethods(chain: Chain, index: TxIndex): Methods {
  const total = () => ({ total: String(chain.mempool.size), total_bytes: String(chain.mempool.bytes) })
  return {
    tx(params) {
      const hash = upperHex(params.base64('hash'))
      const tx = index.tx(hash)
      if (tx === undefined) throw new Error(`tx (${hash}) not found`)
      return encodeTx(tx)
    },
    tx_search(params) {
      const found = searchTxs(index, parseQuery(params.string('query') ?? ''))
      const txs = paginate(inOrder(found, params.string('order_by') ?? 'asc'), params)
      return { txs: txs.map(encodeTx), total_count: String(found.length) }
    },
    num_unconfirmed_txs: () => ({ n_txs: String(chain.mempool.size), ...total(), txs: null }),
    unconfirmed_txs(params) {
      const txs = chain.mempool.list(pageSize(params.int('limit')))
      return { n_txs: String(txs.length), ...total(), txs: txs.map(toBase64) }
    }
  }
}
