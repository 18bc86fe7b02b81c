import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEvent } from '../../chain/events.ts'
import { encodeBlock } from '../encoding/block.ts'
import { toBase64 } from '../encoding/bytes.ts'
import { encodeHeader } from '../encoding/header.ts'
import { encodeEvents, encodeTxResult } from '../encoding/tx.ts'

/** What is published to subscribers. */
export interface Message {
  /** Encoded only for subscribers whose query matches, because blocks may be large. */
  data(): { type: string; value: unknown }
  /** Attribute values by `type.attribute`, which queries match. */
  events: Record<string, string[]>
}

/** The messages of a commit in a node's order: the block, its header, each transaction. */
export function blockMessages(chain: Chain, block: Block): Message[] {
  const blockEvents = [...block.beginBlockEvents, ...block.endBlockEvents]
  const results = () => ({
    result_begin_block: { events: encodeEvents(block.beginBlockEvents) },
    result_end_block: { validator_updates: null, events: encodeEvents(block.endBlockEvents) }
  })
  const header = () => ({ header: encodeHeader(chain, block), num_txs: String(block.txs.length) })
  return [
    message('NewBlock', () => ({ block: encodeBlock(chain, block), ...results() }), blockEvents),
    message('NewBlockHeader', () => ({ ...header(), ...results() }), blockEvents),
    ...block.txs.map(tx => txMessage(tx))
  ]
}

function txMessage({ hash, height, index, bytes, result }: CommittedTx): Message {
  const value = () => ({
    TxResult: { height: String(height), index, tx: toBase64(bytes), result: encodeTxResult(result) }
  })
  const published = message('Tx', value, result.events)
  return {
    ...published,
    events: { ...published.events, 'tx.hash': [hash], 'tx.height': [String(height)] }
  }
}

function message(type: string, value: () => unknown, events: readonly ChainEvent[]): Message {
  const values: Record<string, string[]> = {}
  for (const event of events) {
    for (const attribute of event.attributes) {
      const key = `${event.type}.${attribute.key}`
      values[key] ??= []
      values[key].push(attribute.value)
    }
  }
  return {
    data: () => ({ type: `tendermint/event/${type}`, value: value() }),
    events: { ...values, 'tm.event': [type] }
  }
}
