import { fromHex } from '@cosmjs/encoding'
import type { Block } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEvent } from '../../chain/events.ts'
import { cometOf } from '../comet.ts'
import { toBase64 } from './bytes.ts'
import { encodeBlockId, encodeCommit, NO_COMMIT } from './commit.ts'
import { encodeParamUpdates } from './consensus-params.ts'
import { encodeHeader } from './header.ts'
import { encodeEvents, encodeTxResult } from './tx.ts'

/** Bytes of a block besides its transactions: header, last commit, framing. */
const BLOCK_OVERHEAD = 600

export function encodeBlock(chain: Chain, block: Block) {
  const lastCommit = { height: block.height - 1, hash: block.lastBlockHash, time: block.time }
  return {
    header: encodeHeader(block),
    data: { txs: block.txs.map(({ bytes }) => toBase64(bytes)) },
    evidence: { evidence: [] },
    last_commit: block.lastBlockHash === '' ? NO_COMMIT : encodeCommit(chain, lastCommit)
  }
}

/** A block with its id, as `block` and `block_search` answer. */
export function encodeBlockResult(chain: Chain, block: Block) {
  return { block_id: encodeBlockId(block.hash), block: encodeBlock(chain, block) }
}

/** What a block did. As on a node, null stands for no transactions and for no events. */
export function encodeBlockResults(chain: Chain, block: Block) {
  const { height, txs, beginBlockEvents, endBlockEvents } = block
  const txsResults = txs.length === 0 ? null : txs.map(({ result }) => encodeTxResult(result))
  const updates = { validator_updates: null, consensus_param_updates: encodeParamUpdates(chain) }
  if (cometOf(chain) === '0.37') {
    return {
      height: String(height),
      txs_results: txsResults,
      begin_block_events: eventsOrNull(beginBlockEvents),
      end_block_events: eventsOrNull(endBlockEvents),
      ...updates
    }
  }
  return {
    height: String(height),
    txs_results: txsResults,
    finalize_block_events: eventsOrNull([...beginBlockEvents, ...endBlockEvents]),
    ...updates,
    app_hash: toBase64(fromHex(block.nextAppHash))
  }
}

export function eventsOrNull(events: readonly ChainEvent[]) {
  return events.length === 0 ? null : encodeEvents(events)
}

/** A block without its content, as `blockchain` lists them. */
export function encodeBlockMeta(block: Block) {
  const size = block.txs.reduce((sum, { bytes }) => sum + bytes.length, BLOCK_OVERHEAD)
  return {
    block_id: encodeBlockId(block.hash),
    block_size: String(size),
    header: encodeHeader(block),
    num_txs: String(block.txs.length)
  }
}
