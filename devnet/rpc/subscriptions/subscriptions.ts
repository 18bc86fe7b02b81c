import type { Methods } from '../dispatch.ts'
import { type RpcId, type RpcResponse, successResponse } from '../json-rpc.ts'
import type { Params } from '../params/params.ts'
import { matchesAttributes } from '../query/match.ts'
import { type Condition, parseQuery } from '../query/parse.ts'
import type { Message } from './messages.ts'

const MAX_PER_CONNECTION = 5

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
  const queryOf = (params: Params): string => params.string('query') ?? ''

  return {
    get size() {
      return byQuery.size
    },
    methods: {
      subscribe: {
        params: ['query'],
        call: (params, id) => {
          const query = queryOf(params)
          if (byQuery.size >= MAX_PER_CONNECTION) {
            throw new Error(`max_subscriptions_per_client ${MAX_PER_CONNECTION} reached`)
          }
          const conditions = parseQuery(query)
          if (byQuery.has(query)) throw new Error('already subscribed')
          byQuery.set(query, { id, conditions })
          return {}
        }
      },
      unsubscribe: {
        params: ['query'],
        call: params => {
          if (!byQuery.delete(queryOf(params))) throw new Error('subscription not found')
          return {}
        }
      },
      unsubscribe_all: {
        params: [],
        call: () => {
          if (byQuery.size === 0) throw new Error('subscription not found')
          byQuery.clear()
          return {}
        }
      }
    },
    responses: ({ data, events }) =>
      [...byQuery]
        .filter(([, { conditions }]) => matchesAttributes(conditions, events))
        .map(([query, { id }]) => successResponse(id, { query, data: data(), events }))
  }
}
