import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createRpcNode, type NodeObserver } from './node/index.ts'
import { createNodePool } from './pool/index.ts'
import type { ChainClient } from './types.ts'

export { HistoryPrunedError, NodeUnavailableError } from './errors.ts'
export { transactionHash } from './node/chain-block.ts'
export type { NodeObserver } from './node/index.ts'
export { createNodePool } from './pool/index.ts'
export { newestHeight } from './pool/node-health.ts'
export { safeInteger } from './safe-integer.ts'
export { shorten } from './shorten.ts'
export type * from './types.ts'

/**
 * The chain over CometBFT RPC (interface 19.2).
 * @param options.nodes RPC URLs in order of preference
 * @param options.timeoutMs how long one call may take before it is given more time
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
    nodes: nodes.map(url => createRpcNode({ url, timeoutMs, clock, observe })),
    clock,
    ...(log && { log })
  })
}
