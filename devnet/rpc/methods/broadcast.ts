import type { CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { txHash } from '../../chain/hashes.ts'
import type { TxResult } from '../../chain/tx/results.ts'
import { encodeCheckTx, encodeTxResult } from '../encoding.ts'
import type { Methods } from '../json-rpc.ts'

const COMMIT_TIMEOUT_MS = 10_000

/** The block result that `broadcast_tx_commit` answers for a transaction that CheckTx refused. */
const NOT_DELIVERED: TxResult = {
  code: 0,
  codespace: '',
  data: new Uint8Array(),
  log: '',
  gasWanted: 0n,
  gasUsed: 0n,
  events: []
}

/**
 * The methods that submit a transaction. One that the mempool refuses (cache, full, too large) is a JSON-RPC error;
 * a failed CheckTx is an answer with its code.
 * @param closed aborts when the server closes, which ends the wait for a block
 */
export function broadcastMethods(chain: Chain, closed: AbortSignal): Methods {
  return {
    broadcast_tx_async(params) {
      const tx = params.base64('tx')
      chain.submitTx(tx)
      return { code: 0, data: '', log: '', codespace: '', hash: txHash(tx) }
    },
    broadcast_tx_sync(params) {
      const tx = params.base64('tx')
      const { code, log, codespace } = chain.submitTx(tx)
      return { code, data: '', log, codespace, hash: txHash(tx) }
    },
    async broadcast_tx_commit(params) {
      const tx = params.base64('tx')
      const hash = txHash(tx)
      const checkTx = chain.submitTx(tx)
      const committed = checkTx.code === 0 ? await committedTx(chain, hash, closed) : undefined
      return {
        check_tx: encodeCheckTx(checkTx),
        deliver_tx: encodeTxResult(committed?.result ?? NOT_DELIVERED),
        hash,
        height: String(committed?.height ?? 0)
      }
    }
  }
}

/** Waits for the block with the transaction. @throws Error when it takes too long, or the server closes */
function committedTx(chain: Chain, hash: string, closed: AbortSignal): Promise<CommittedTx> {
  const ended = AbortSignal.any([closed, AbortSignal.timeout(COMMIT_TIMEOUT_MS)])
  return new Promise((resolve, reject) => {
    const unsubscribe = chain.onBlock(({ txs }) => {
      const tx = txs.find(committed => committed.hash === hash)
      if (tx === undefined) return
      unsubscribe()
      resolve(tx)
    })
    ended.addEventListener('abort', () => {
      unsubscribe()
      reject(new Error('timed out waiting for tx to be included in a block'))
    })
  })
}
