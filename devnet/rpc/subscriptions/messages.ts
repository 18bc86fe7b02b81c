import { fromHex } from '@cosmjs/encoding'
import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEvent } from '../../chain/events.ts'
import { cometOf } from '../comet.ts'
import { encodeBlock, eventsOrNull } from '../encoding/block.ts'
import { toBase64 } from '../encoding/bytes.ts'
import { encodeBlockId } from '../encoding/commit.ts'
import { encodeParamUpdates } from '../encoding/consensus-params.ts'
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
  const messages = cometOf(chain) === '0.37' ? messages37(chain, block) : messages38(chain, block)
  return [...messages, ...block.txs.map(tx => txMessage(tx))]
}

function messages37(chain: Chain, block: Block): Message[] {
  const { beginBlockEvents, endBlockEvents, txs } = block
  const events = [...beginBlockEvents, ...endBlockEvents]
  const results = () => ({
    result_begin_block: someEvents(beginBlockEvents),
    result_end_block: { ...updates(chain), ...someEvents(endBlockEvents) }
  })
  const header = () => ({ header: encodeHeader(block), num_txs: String(txs.length) })
  return [
    message('NewBlock', () => ({ block: encodeBlock(chain, block), ...results() }), events),
    message('NewBlockHeader', () => ({ ...header(), ...results() }), events)
  ]
}

function messages38(chain: Chain, block: Block): Message[] {
  const { height, hash, beginBlockEvents, endBlockEvents, txs, nextAppHash } = block
  const events = [...beginBlockEvents, ...endBlockEvents]
  const result = () => ({
    ...someEvents(events),
    ...(txs.length > 0 && { tx_results: txs.map(tx => withoutDefaults(encodeTxResult(tx.result))) }),
    ...updates(chain),
    app_hash: toBase64(fromHex(nextAppHash))
  })
  const content = () => ({ block: encodeBlock(chain, block), block_id: encodeBlockId(hash) })
  const numTxs = String(txs.length)
  const blockEvents = () => ({ height: String(height), events: eventsOrNull(events), num_txs: numTxs })
  return [
    message('NewBlock', () => ({ ...content(), result_finalize_block: result() }), events),
    message('NewBlockHeader', () => ({ header: encodeHeader(block) }), []),
    message('NewBlockEvents', blockEvents, events)
  ]
}

const updates = (chain: Chain) => ({
  validator_updates: null,
  consensus_param_updates: encodeParamUpdates(chain)
})

const someEvents = (events: readonly ChainEvent[]) =>
  events.length > 0 ? { events: encodeEvents(events) } : {}

/** An object without the values that its encoding leaves out. */
function withoutDefaults(value: object): object {
  const isDefault = (field: unknown) => field === 0 || field === '' || field === '0' || field === null
  const isEmpty = (field: unknown) => Array.isArray(field) && field.length === 0
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isDefault(field) && !isEmpty(field)))
}

function txMessage({ hash, height, index, bytes, result }: CommittedTx): Message {
  const value = () => ({
    TxResult: {
      height: String(height),
      ...(index > 0 && { index }),
      tx: toBase64(bytes),
      result: withoutDefaults(encodeTxResult(result))
    }
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
