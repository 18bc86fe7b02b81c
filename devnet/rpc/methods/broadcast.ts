import type { CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { txHash } from '../../chain/hashes.ts'
import type { CheckTxResult, TxResult } from '../../chain/tx/results.ts'
import { cometOf } from '../comet.ts'
import type { Methods } from '../dispatch.ts'
import { encodeCheckTx, encodeTxResult } from '../encoding/tx.ts'
import type { Params } from '../params/params.ts'

const COMMIT_TIMEOUT_MS = 10_000

/** The block result that `broadcast_tx_commit` answers for a transaction that CheckTx refused. */
const NOT_DELIVERED: TxResult = {
  code: 0,
  codespace: '',
  data: new Uint8Array(),
  log: '',
  info: '',
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
    broadcast_tx_async: {
      params: { tx: 'types.Tx' },
      call: params => {
        const tx = txParam(params)
        chain.submitTx(tx)
        return { code: 0, data: '', log: '', codespace: '', hash: txHash(tx) }
      }
    },
    broadcast_tx_sync: {
      params: { tx: 'types.Tx' },
      call: params => {
        const tx = txParam(params)
        const { code, log, codespace } = chain.submitTx(tx)
        return { code, data: '', log, codespace, hash: txHash(tx) }
      }
    },
    broadcast_tx_commit: {
      params: { tx: 'types.Tx' },
      call: params => broadcastTxCommit(chain, txParam(params), closed)
    }
  }
}

function txParam(params: Params): Uint8Array {
  return params.bytes('tx') ?? new Uint8Array()
}

async function broadcastTxCommit(chain: Chain, tx: Uint8Array, closed: AbortSignal) {
  const hash = txHash(tx)
  const checkTx = submitToCommit(chain, tx)
  const ended = AbortSignal.any([closed, AbortSignal.timeout(COMMIT_TIMEOUT_MS)])
  const committed = checkTx.code === 0 ? await committedTx(chain, hash, ended) : undefined
  return {
    check_tx: encodeCheckTx(chain, checkTx),
    [cometOf(chain) === '0.37' ? 'deliver_tx' : 'tx_result']: encodeTxResult(
      committed?.result ?? NOT_DELIVERED
    ),
    hash,
    height: String(committed?.height ?? 0)
  }
}

function submitToCommit(chain: Chain, tx: Uint8Array): CheckTxResult {
  try {
    return chain.submitTx(tx)
  } catch (error) {
    throw new Error(`error on broadcastTxCommit: ${error instanceof Error ? error.message : error}`)
  }
}

/** Waits for the block with the transaction. @throws Error when `ended` aborts first */
function committedTx(chain: Chain, hash: string, ended: AbortSignal): Promise<CommittedTx> {
  return new Promise((resolve, reject) => {
    const unsubscribe = chain.onBlock(block => {
      const tx = block.txs.find(committed => committed.hash === hash)
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
