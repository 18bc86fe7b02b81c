import type { Clock } from '../../clock.ts'
import { parseUpstreamUrl } from '../../upstream/url.ts'
import { HistoryPrunedError, NodeUnavailableError, RpcError } from '../errors.ts'
import { safeInteger } from '../safe-integer.ts'
import { shorten } from '../shorten.ts'
import type {
  BlockLimits,
  BroadcastAnswer,
  ChainBlock,
  ChainNode,
  NodeStatus,
  Question,
  Simulation,
  SimulationAnswer
} from '../types.ts'
import { Broadcast, type BroadcastResult, ConsensusParams, Status } from './answer-shapes.ts'
import { toChainBlock } from './chain-block.ts'
import { createAnswerBounds } from './limits.ts'
import { listenForBlocks } from './new-block-listener.ts'
import { createQueries } from './queries.ts'
import { createRpcConnection } from './rpc-connection.ts'

/** CometBFT commits a block before its results can be read. */
const RESULTS_STEP_MS = 50
const RESULTS_PATIENCE_MS = 5000

/** A node that is so many blocks past a block had its results, and has not stored them. */
const RESULTS_OVERDUE_BLOCKS = 3

/** CometBFT has no error codes, only texts. */
const NOT_YET = /current blockchain height/
const NO_RESULTS = /could not find results for height/
const RESULTS_DISCARDED = /node is not persisting/
const PRUNED = /is not available, lowest height is (\d+)/
const IN_CACHE = /tx already exists in cache/

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The node has the block and has not stored its results. Whether it has those of the next block is not known. */
const resultsDiscarded = (height: number) =>
  new HistoryPrunedError(height, height + 1, `no node has stored the results of block ${height}`)

/** The statuses of simulations and broadcasts; of other requests, whether there was an answer and what it said. */
type NodeResult = (SimulationAnswer | BroadcastAnswer)['status'] | 'answered' | 'missing' | 'pruned'

/** Is told of every request. @param node host and port */
export type NodeObserver = (node: string, request: Question, result: NodeResult, seconds: number) => void

const statusOf = <Status>({ status }: { status: Status }) => status
const found = (answer: unknown) => (answer === undefined ? 'missing' : 'answered')

/** Reads the result of CheckTx from the answer to `broadcast_tx_sync`. */
export function readBroadcastAnswer({ code, codespace = '', log = '' }: BroadcastResult): BroadcastAnswer {
  return code === 0 ? { status: 'accepted' } : { status: 'refused', code, codespace, log }
}

/**
 * Reads an error of a broadcast. The mempool's errors are JSON-RPC errors that differ only in their text, and nodes have
 * others: whether one is about the bytes is found out by a smaller transaction (interface 17.11).
 */
export function readBroadcastError(error: unknown): BroadcastAnswer {
  const answered = error instanceof RpcError
  if (answered && error.says(IN_CACHE)) return { status: 'known' }
  return { status: 'unavailable', reason: reasonOf(error), answered }
}

/**
 * One node over CometBFT RPC (0.37, 0.38 or 1.x).
 * @param options.url its RPC URL
 * @param options.timeoutMs how long one call may take at first; calls that are too slow for it are given more time
 */
export function createRpcNode(options: {
  url: string
  timeoutMs: number
  clock: Clock
  observe?: NodeObserver | undefined
}): ChainNode {
  const { timeoutMs, clock, observe } = options
  const url = parseUpstreamUrl(options.url)
  const bounds = createAnswerBounds()
  const { call, close } = createRpcConnection(url, { timeoutMs, bounds, clock })
  const queries = createQueries({ call })
  const listeners: { close(): void }[] = []
  let hasBounds = false

  /** Turns every error of the node into NodeUnavailableError, an unreadable answer included. */
  async function usable<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof NodeUnavailableError || error instanceof HistoryPrunedError) throw error
      // A text of CosmJS may repeat what the node wrote.
      throw new NodeUnavailableError(url.host, shorten(url.scrub(reasonOf(error))))
    }
  }

  /** @param resultOf what the answer was, for the observer */
  async function ask<T>(
    request: Question,
    asked: Promise<T>,
    resultOf: (answer: T) => NodeResult = found
  ): Promise<T> {
    const startedAt = clock.elapsed()
    let result: NodeResult = 'unavailable'
    try {
      const answer = await usable(asked)
      result = resultOf(answer)
      return answer
    } catch (error) {
      if (error instanceof HistoryPrunedError) result = 'pruned'
      throw error
    } finally {
      observe?.(url.host, request, result, (clock.elapsed() - startedAt) / 1000)
    }
  }

  async function readStatus(): Promise<NodeStatus> {
    const result = await call('status')
    if (!Status.Check(result)) throw new Error('the status cannot be read')
    const { node_info, sync_info } = result
    const height = safeInteger(sync_info.latest_block_height)
    const earliestHeight = safeInteger(sync_info.earliest_block_height)
    const blockTime = Date.parse(sync_info.latest_block_time)
    if (height === undefined || earliestHeight === undefined || Number.isNaN(blockTime)) {
      throw new Error('the newest or the earliest block cannot be read')
    }
    // The bound of a block is the default until the parameters are known.
    if (!hasBounds) readBlockLimits().catch(() => {})
    return {
      chainId: node_info.network,
      height,
      earliestHeight,
      blockTime,
      catchingUp: sync_info.catching_up
    }
  }

  async function readBlockLimits(): Promise<BlockLimits> {
    const result = await call('consensus_params')
    if (!ConsensusParams.Check(result)) throw new Error('the consensus parameters cannot be read')
    const { max_gas, max_bytes } = result.consensus_params.block
    hasBounds = true
    const bytes = safeInteger(max_bytes)
    bounds.setBlockBytes(bytes)
    return { gas: safeInteger(max_gas) || undefined, bytes }
  }

  async function simulate(simulation: Simulation): Promise<SimulationAnswer> {
    try {
      return await usable(queries.simulate(simulation))
    } catch (error) {
      const late = error instanceof NodeUnavailableError && error.late
      return { status: 'unavailable', reason: String(error), late }
    }
  }

  async function broadcast(transaction: Uint8Array): Promise<BroadcastAnswer> {
    try {
      const answer = await call('broadcast_tx_sync', { tx: Buffer.from(transaction).toString('base64') })
      if (!Broadcast.Check(answer)) throw new Error('the answer to a broadcast cannot be read')
      return readBroadcastAnswer(answer)
    } catch (error) {
      return readBroadcastError(error)
    }
  }

  /**
   * Waits, in short steps and for a bounded time, until the node has the results of a block that it has.
   * @throws HistoryPrunedError when it has not stored them (interface 19.12)
   */
  async function resultsOf(height: number): Promise<unknown> {
    const deadline = clock.elapsed() + RESULTS_PATIENCE_MS
    for (;;) {
      try {
        return await call('block_results', { height: String(height) })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        if (error.says(RESULTS_DISCARDED)) throw resultsDiscarded(height)
        if (!error.says(NO_RESULTS)) throw error
        const { height: newest } = await readStatus()
        if (newest >= height + RESULTS_OVERDUE_BLOCKS) throw resultsDiscarded(height)
        if (clock.elapsed() >= deadline) throw error
      }
      await new Promise<void>(resolve => clock.after(RESULTS_STEP_MS, resolve))
    }
  }

  async function readBlock(height: number): Promise<ChainBlock | undefined> {
    try {
      const [found, results] = await Promise.all([
        call('block', { height: String(height) }),
        resultsOf(height)
      ])
      return toChainBlock(height, found, results)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.says(NOT_YET)) return undefined
      const lowest = safeInteger(error.says(PRUNED)?.[1])
      throw lowest === undefined ? error : new HistoryPrunedError(height, lowest)
    }
  }

  return {
    host: url.host,
    status: () => ask('status', readStatus()),
    account: (address, height) => ask('account', queries.account(address, height)),
    blockLimits: () => ask('blockLimits', readBlockLimits()),
    balance: (address, denom) => ask('balance', queries.balance(address, denom)),
    simulate: simulation => ask('simulate', simulate(simulation), statusOf),
    broadcast: transaction => ask('broadcast', broadcast(transaction), statusOf),
    block: height => ask('block', readBlock(height)),
    onNewBlock(listener) {
      listeners.push(listenForBlocks(url, listener))
    },
    async close() {
      for (const listener of listeners) listener.close()
      await close()
    }
  }
}
