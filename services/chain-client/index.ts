import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createRpcNode } from './node/index.ts'
import { type ChainClient, createNodePool } from './pool/index.ts'
import type { NodeObserver } from './pool/node-health.ts'

export { HistoryPrunedError, NodeUnavailableError } from './errors.ts'
export {
  type BlockTransaction,
  type ChainBlock,
  type ChainEvent,
  transactionHash
} from './node/chain-block.ts'
export type { ChainNode } from './node/index.ts'
export { type ChainClient, createNodePool } from './pool/index.ts'
export { type NodeHealth, type NodeObserver, newestHeight } from './pool/node-health.ts'
export { safeInteger } from './safe-integer.ts'
export { shorten } from './shorten.ts'
export type * from './types.ts'

/**
 * The chain over CometBFT RPC (interface 19.2).
 * @param options.nodes RPC URLs in order of preference
 * @param options.timeoutMs the time limit of a call before it grows
 */
export function createChainClient(options: {
  nodes: readonly string[]
  timeoutMs: number
  clock?: Clock
  log?: Logger
  observe?: NodeObserver
}): ChainClient {
  const { nodes, timeoutMs, clock = systemClock, log, observe } = options
  return createNodePool({
    nodes: nodes.map(url => createRpcNode({ url, timeoutMs, clock })),
    clock,
    ...(log && { log }),
    ...(observe && { observe })
  })
}
