import type { Block, CommittedTx } from '../chain/blocks/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainEvent } from '../chain/events.ts'
import { encodeBlock, encodeHeader, encodeTxResult, toBase64 } from './encoding.ts'
import { type Methods, type RpcId, type RpcResponse, successResponse } from './json-rpc.ts'
import { type Condition, matchesAttributes, parseQuery } from './query.ts'

/** What is published to subscribers. */
export interface Message {
  /** Encoded only for subscribers whose query matches, because blocks may be large. */
  data(): { type: string; value: unknown }
  /** Attribute values by `type.attribute`, which queries match. */
  events: Record<string, string[]>
}

/** The messages of a commit in a node's order: the block, its header, each transaction. */
export function blockMessages(chain: Chain, block: Block): Message[] {
  return [
    message('NewBlock', () => ({ block: encodeBlock(chain, block) })),
    message('NewBlockHeader', () => ({ header: encodeHeader(block), num_txs: String(block.txs.length) })),
    ...block.txs.map(txMessage)
  ]
}

function txMessage({ hash, height, index, bytes, result }: CommittedTx): Message {
  const tx = { height: String(height), index, tx: toBase64(bytes) }
  const value = () => ({ TxResult: { ...tx, result: encodeTxResult(result) } })
  const { data, events } = message('Tx', value, result.events)
  return { data, events: { ...events, 'tx.hash': [hash], 'tx.height': [String(height)] } }
}

function message(type: string, value: () => unknown, events: readonly ChainEvent[] = []): Message {
  const values: Record<string, string[]> = { 'tm.event': [type] }
  for (const event of events) {
    for (const { key, value } of event.attributes) {
      values[`${event.type}.${key}`] = [...(values[`${event.type}.${key}`] ?? []), value]
    }
  }
  return { data: () => ({ type: `tendermint/event/${type}`, value: value() }), events: values }
}

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** subscribe, unsubscribe, unsubscribe_all: the additional methods of a WebSocket connection. */
  methods: Methods
  readonly size: number
  /** The responses to send for a message: one for each matching query, with the id of its request. */
  responses(message: Message): RpcResponse[]
}

export function createSubscriptions(): Subscriptions {
  const byQuery = new Map<string, { id: RpcId; conditions: Condition[] }>()

  return {
    get size() {
      return byQuery.size
    },
    methods: {
      subscribe(params, id) {
        const query = params.string('query') ?? ''
        const conditions = parseQuery(query)
        if (byQuery.has(query)) throw new Error('already subscribed')
        byQuery.set(query, { id, conditions })
        return {}
      },
      unsubscribe(params) {
        if (!byQuery.delete(params.string('query') ?? '')) throw new Error('subscription not found')
        return {}
      },
      unsubscribe_all() {
        byQuery.clear()
        return {}
      }
    },
    responses: ({ data, events }) =>
      [...byQuery]
        .filter(([, { conditions }]) => matchesAttributes(conditions, events))
        .map(([query, { id }]) => successResponse(id, { query, data: data(), events }))
  }
}
