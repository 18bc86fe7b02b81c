import type { Conversation } from '../conversation.ts'
import { blocks } from './blocks.ts'
import { failures } from './failures.ts'
import { mempool } from './mempool.ts'
import { aboutTheNode } from './node.ts'
import { queries } from './queries.ts'
import { refusals } from './refusals.ts'
import { simulations } from './simulations.ts'
import { requests, transactions } from './transactions.ts'
import { unordered } from './unordered.ts'

/** In the order in which they are played: the first ones need a chain without transactions. */
export const conversations: readonly Conversation[] = [
  aboutTheNode,
  blocks,
  transactions,
  requests,
  refusals,
  failures,
  simulations,
  unordered,
  mempool,
  queries
]
