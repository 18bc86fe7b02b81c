import type { Block, CommittedTx } from '../chain/blocks/block-store.ts'
import { encodeBlockId, encodeHeader } from '../chain/blocks/header.ts'
import type { Chain } from '../chain/index.ts'
import type { TxResult } from '../chain/tx/context.ts'

/** Encodes base64 with Node's Buffer: blocks consist mostly of base64, and a JavaScript library is much slower. */
function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** Encodes base64, or null if empty, as a node encodes optional bytes in ABCI results. */
export function base64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes)
}

export function encodeBlockResult(block: Block) {
  const data = { txs: block.txs.map(({ bytes }) => toBase64(bytes)) }
  return { block_id: encodeBlockId(block.hash), block: { header: encodeHeader(block), data } }
}

/** Encodes a block's results. As on a real node, an empty list of transactions is null. */
export function encodeBlockResults({ height, txs }: Block) {
  return {
    height: String(height),
    txs_results: txs.length === 0 ? null : txs.map(({ result }) => encodeTxResult(result))
  }
}

function encodeTxResult(result: TxResult) {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: result.events,
    codespace: result.codespace
  }
}

export function encodeTx({ hash, height, index, result, bytes }: CommittedTx) {
  return { hash, height: String(height), index, tx_result: encodeTxResult(result), tx: toBase64(bytes) }
}

export function encodeConsensusParams({ consensusParams: { maxBytes, maxGas } }: Chain) {
  return { block: { max_bytes: String(maxBytes), max_gas: String(maxGas) } }
}

export function encodeValidator({ validator }: Chain) {
  return {
    address: validator.address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.pubKey) },
    voting_power: '1'
  }
}
