import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEvent } from '../../chain/events.ts'
import type { CheckTxResult, TxResult } from '../../chain/tx/results.ts'
import { cometOf } from '../comet.ts'
import { base64OrNull, toBase64 } from './bytes.ts'
import { encodeTxProof } from './tx-proof.ts'

export function encodeEvents(events: readonly ChainEvent[]) {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index }))
  }))
}

/** What a transaction did in its block (ResponseDeliverTx). */
export function encodeTxResult(result: TxResult) {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    info: result.info,
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: encodeEvents(result.events),
    codespace: result.codespace
  }
}

/** ResponseCheckTx, as `broadcast_tx_commit` reports it. The checks' events are not in it. */
export function encodeCheckTx(chain: Chain, result: CheckTxResult) {
  return {
    code: result.code,
    data: result.code === 0 ? '' : null,
    log: result.log,
    info: '',
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: [],
    codespace: result.codespace,
    ...(cometOf(chain) === '0.37' && { sender: '', priority: '0', mempoolError: '' })
  }
}

/** A committed transaction, as `tx` and `tx_search` answer. */
export function encodeTx(tx: CommittedTx, block?: Block) {
  return {
    hash: tx.hash,
    height: String(tx.height),
    index: tx.index,
    tx_result: encodeTxResult(tx.result),
    tx: toBase64(tx.bytes),
    ...(block !== undefined && { proof: encodeTxProof(block, tx) })
  }
}
