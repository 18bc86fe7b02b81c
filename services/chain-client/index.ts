import { type Clock, systemClock } from '../clock.ts'
import type { ChainClient } from './contract.ts'
import { createRpcNode } from './node/index.ts'
import { createNodePool } from './pool/index.ts'

export type * from './contract.ts'
export { HistoryPrunedError, NodeUnavailableError } from './errors.ts'
export { transactionHash } from './node/chain-block.ts'
export { createRpcNode } from './node/index.ts'
export { safeInteger } from './node/responses.ts'
export { createNodePool } from './pool/index.ts'
export { newestHeight } from './pool/node-health.ts'

type PoolOptions = Parameters<typeof createNodePool>[0]

/**
 * Creates a client for the chain over CometBFT RPC (interface 19.2).
 * @param options.nodes URLs in order of preference
 * @param options.timeoutMs initial time limit of a call; it grows if calls are slow
 */
export function createChainClient(
  options: Omit<PoolOptions, 'nodes' | 'clock'> & {
    nodes: readonly string[]
    timeoutMs: number
    clock?: Clock
  }
): ChainClient {
  const { timeoutMs, clock = systemClock } = options
  const nodes = options.nodes.map(url => createRpcNode({ url, timeoutMs, clock }))
  return createNodePool({ ...options, clock, nodes })
}
