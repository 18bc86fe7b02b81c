import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createRpcNode } from './node/index.ts'
import { type NodeObserver, observedNode } from './node/observed-node.ts'
import { createNodePool } from './pool/index.ts'
import type { ChainClient } from './types.ts'

export { HistoryPrunedError, NodeUnavailableError } from './errors.ts'
export { newestHeight } from './newest-height.ts'
export { transactionHash } from './node/chain-block.ts'
export type { NodeObserver } from './node/observed-node.ts'
export { createNodePool } from './pool/index.ts'
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
  const connected = nodes.map(url => createRpcNode({ url, timeoutMs, clock }))
  return createNodePool({
    nodes: observe ? connected.map(node => observedNode(node, observe)) : connected,
    clock,
    ...(log && { log })
  })
}
