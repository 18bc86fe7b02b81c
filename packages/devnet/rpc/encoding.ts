import { createHash } from 'node:crypto'
import type { Block, CommittedTx } from '../chain/blocks/block-store.ts'
import { encodeBlockId, encodeHeader } from '../chain/blocks/header.ts'
import type { Chain } from '../chain/chain.ts'
import type { TxResult } from '../chain/tx/context.ts'

/** Encodes base64 with Node's Buffer: blocks consist mostly of base64, and a JavaScript library is much slower. */
export function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** Encodes base64, or null if empty, as a node encodes optional bytes in ABCI results. */
export function base64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes)
}

/** Encodes the validator's commit for a block, with an invalid signature. @param time the time of the next block */
function encodeCommit(chain: Chain, { height, hash, time }: { height: number; hash: string; time: string }) {
  const signature = {
    block_id_flag: 2,
    validator_address: chain.validator.address,
    timestamp: time,
    signature: toBase64(createHash('sha512').update(hash).digest())
  }
  const block = { height: String(height), round: 0, block_id: encodeBlockId(hash) }
  return hash === '' ? { ...block, height: '0', signatures: [] } : { ...block, signatures: [signature] }
}

function encodeBlock(chain: Chain, block: Block) {
  const last = { height: block.height - 1, hash: block.lastBlockHash, time: block.time }
  return {
    header: encodeHeader(block),
    data: { txs: block.txs.map(({ bytes }) => toBase64(bytes)) },
    evidence: { evidence: [] },
    last_commit: encodeCommit(chain, last)
  }
}

export function encodeBlockResult(chain: Chain, block: Block) {
  return { block_id: encodeBlockId(block.hash), block: encodeBlock(chain, block) }
}

/** Encodes a block's results. As on a real node, an empty list of transactions or events is null. */
export function encodeBlockResults({ height, txs }: Block) {
  return {
    height: String(height),
    txs_results: txs.length === 0 ? null : txs.map(({ result }) => encodeTxResult(result)),
    begin_block_events: null,
    end_block_events: null,
    validator_updates: null,
    consensus_param_updates: null
  }
}

function encodeTxResult(result: TxResult) {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    info: '',
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: result.events,
    codespace: result.codespace
  }
}

export function encodeTx({ hash, height, index, result, bytes }: CommittedTx) {
  return { hash, height: String(height), index, tx_result: encodeTxResult(result), tx: toBase64(bytes) }
}

/** Encodes the consensus parameters. Evidence and validator parameters are CometBFT's defaults. */
export function encodeConsensusParams({ consensusParams: { maxBytes, maxGas } }: Chain) {
  return {
    block: { max_bytes: String(maxBytes), max_gas: String(maxGas) },
    evidence: {
      max_age_num_blocks: '100000',
      max_age_duration: '172800000000000',
      max_bytes: '1048576'
    },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' }
  }
}

export function encodeValidator({ validator }: Chain) {
  return {
    address: validator.address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.pubKey) },
    voting_power: '1'
  }
}
