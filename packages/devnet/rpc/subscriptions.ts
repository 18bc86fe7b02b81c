import type { Block } from '../chain/blocks/block.ts'
import { encodeHeader } from './encoding.ts'
import { type Methods, type RpcId, type RpcResponse, successResponse } from './json-rpc.ts'

const QUERY = "tm.event='NewBlockHeader'"

/** The subscription of one connection to the headers of new blocks. */
export interface Subscription {
  /** The additional method of a WebSocket connection. */
  methods: Methods
  /** The message for a new block; undefined without a subscription. */
  response(block: Block): RpcResponse | undefined
}

export function createSubscription(): Subscription {
  let subscribed: RpcId | undefined

  return {
    methods: {
      subscribe(params, id) {
        const query = params.string('query') ?? ''
        if (query !== QUERY) throw new Error(`failed to parse query: ${query}`)
        if (subscribed !== undefined) throw new Error('already subscribed')
        subscribed = id
        return {}
      }
    },
    response(block) {
      if (subscribed === undefined) return undefined
      const value = { header: encodeHeader(block), num_txs: String(block.txs.length) }
      const data = { type: 'tendermint/event/NewBlockHeader', value }
      return successResponse(subscribed, { query: QUERY, data, events: { 'tm.event': ['NewBlockHeader'] } })
    }
  }
}
