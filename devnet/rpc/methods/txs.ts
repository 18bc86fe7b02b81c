import type { Chain } from '../../chain/chain.ts'
import { upperHex } from '../../chain/hashes.ts'
import type { Methods } from '../dispatch.ts'
import { toBase64 } from '../encoding/bytes.ts'
import { encodeTx } from '../encoding/tx.ts'
import type { TxIndex } from '../faults.ts'
import { inOrder, pageSize, paginate } from '../pages.ts'
import { parseQuery } from '../query/parse.ts'
import { searchTxs } from '../query/search.ts'

/** The methods about committed transactions and those in the mempool. */
export function txMethods(chain: Chain, index: TxIndex): Methods {
  const total = () => ({ total: String(chain.mempool.size), total_bytes: String(chain.mempool.bytes) })
  return {
    tx: {
      params: { hash: '[]uint8', prove: 'bool' },
      call: params => {
        const hash = upperHex(params.bytes('hash') ?? new Uint8Array())
        if (hash === '') throw new Error('transaction hash cannot be empty')
        const tx = index.tx(hash)
        if (tx === undefined) throw new Error(`tx (${hash}) not found`)
        return encodeTx(tx, params.bool('prove') ? chain.block(tx.height) : undefined)
      }
    },
    tx_search: {
      params: { query: 'string', prove: 'bool', page: 'int', per_page: 'int', order_by: 'string' },
      call: params => {
        const prove = params.bool('prove')
        const found = searchTxs(index, parseQuery(params.string('query') ?? ''))
        const ordered = inOrder(found, params.string('order_by') || 'asc')
        const txs = paginate(ordered, params.int('page'), params.int('per_page'))
        return {
          txs: txs.map(tx => encodeTx(tx, prove ? chain.block(tx.height) : undefined)),
          total_count: String(found.length)
        }
      }
    },
    num_unconfirmed_txs: {
      params: {},
      call: () => ({ n_txs: String(chain.mempool.size), ...total(), txs: null })
    },
    unconfirmed_txs: {
      params: { limit: 'int' },
      call: params => {
        // One more than the limit: a node compares after it has added.
        const txs = chain.mempool.list(pageSize(params.int('limit')) + 1)
        return { n_txs: String(txs.length), ...total(), txs: txs.map(toBase64) }
      }
    }
  }
}
