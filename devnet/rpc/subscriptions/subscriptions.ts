import type { Chain } from '../../chain/chain.ts'
import { cometOf } from '../comet.ts'
import type { Methods } from '../dispatch.ts'
import { type RpcId, type RpcResponse, successResponse } from '../json-rpc.ts'
import type { Params, ParamTypes } from '../params/params.ts'
import { matchesAttributes } from '../query/match.ts'
import { type Condition, formatQuery, parseQuery } from '../query/parse.ts'
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

/** The methods that only a WebSocket connection has. */
export const subscriptionMethods = {
  subscribe: { query: 'string' },
  unsubscribe: { query: 'string' },
  unsubscribe_all: {}
} as const satisfies Record<string, ParamTypes>

export function createSubscriptions(chain: Chain): Subscriptions {
  const byQuery = new Map<string, { query: string; id: RpcId; conditions: Condition[] }>()
  const queryOf = (params: Params): string => params.string('query') ?? ''

  /** What a query is known by: 0.37 compares the text, 0.38 the conditions. @throws Error for a malformed one */
  function parse(query: string): { key: string; conditions: Condition[] } {
    const conditions = parsed(query)
    return { conditions, key: cometOf(chain) === '0.37' ? query : formatQuery(conditions) }
  }

  return {
    get size() {
      return byQuery.size
    },
    methods: {
      subscribe: {
        params: subscriptionMethods.subscribe,
        call: (params, id) => {
          const query = queryOf(params)
          if (byQuery.size >= MAX_PER_CONNECTION) {
            throw new Error(`max_subscriptions_per_client ${MAX_PER_CONNECTION} reached`)
          }
          const { key, conditions } = parse(query)
          if (byQuery.has(key)) throw new Error('already subscribed')
          byQuery.set(key, { query, id, conditions })
          return {}
        }
      },
      unsubscribe: {
        params: subscriptionMethods.unsubscribe,
        call: params => {
          if (!byQuery.delete(parse(queryOf(params)).key)) throw new Error('subscription not found')
          return {}
        }
      },
      unsubscribe_all: {
        params: subscriptionMethods.unsubscribe_all,
        call: () => {
          if (byQuery.size === 0) throw new Error('subscription not found')
          byQuery.clear()
          return {}
        }
      }
    },
    responses: ({ data, events }) =>
      [...byQuery.values()]
        .filter(({ conditions }) => matchesAttributes(conditions, events))
        .map(({ query, id }) => successResponse(id, { query, data: data(), events }))
  }
}

function parsed(query: string): Condition[] {
  try {
    return parseQuery(query)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(problem.startsWith('offset') ? `failed to parse query: ${problem}` : problem)
  }
}
