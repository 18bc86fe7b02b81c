import type { Clock } from '../../clock.ts'
import { messageOf, shorten } from '../../errors/shown.ts'
import { parseUpstreamUrl } from '../../upstream/url.ts'
import type { BroadcastResult, ChainBlock, ChainNode, NodeStatus } from '../contract.ts'
import { HistoryPrunedError, NodeUnavailableError, ResultsUnreadableError, RpcError } from '../errors.ts'
import { toChainBlock } from './chain-block.ts'
import { createQueries } from './queries.ts'
import { Block, BlockResults, Broadcast, ConsensusParams, Status, safeInteger } from './responses.ts'
import { createRpcConnection, listenForBlocks } from './rpc-connection.ts'

/** The pause between requests for the results of a block: CometBFT commits a block before they can be read. */
const RESULTS_STEP_MS = 50

/** How long to ask for the results of a block. */
const RESULTS_PATIENCE_MS = 5000

/** If the results of a block are still missing after this many further blocks, the node has not stored them. */
const RESULTS_OVERDUE_BLOCKS = 3

/** Matches CometBFT's messages, because it reports these conditions without error codes. */
const NOT_YET = /current blockchain height/
const NO_RESULTS = /could not find results for height/
const RESULTS_DISCARDED = /node is not persisting/
const PRUNED = /is not available, lowest height is (\d+)/
const IN_CACHE = /tx already exists in cache/
const TOO_LARGE = /Tx too large|tx size is too big/

const unavailable = (error: unknown) => ({
  status: 'unavailable' as const,
  reason: messageOf(error),
  timedOut: error instanceof NodeUnavailableError && error.timedOut
})

/**
 * Connects to one node over CometBFT RPC (0.37, 0.38 or 1.x).
 * @param options.timeoutMs initial time limit of a call; it grows if calls exceed it
 */
export function createRpcNode(options: { url: string; timeoutMs: number; clock: Clock }): ChainNode {
  const { timeoutMs, clock } = options
  const url = parseUpstreamUrl(options.url)
  const { call, close } = createRpcConnection(url, { timeoutMs, clock })
  const queries = createQueries(call)
  let stopListening = () => {}

  async function usable<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof NodeUnavailableError || error instanceof HistoryPrunedError) throw error
      // CosmJS error messages can contain text from the node.
      throw new NodeUnavailableError(url.host, shorten(messageOf(error)))
    }
  }

  async function readStatus(): Promise<NodeStatus> {
    const { node_info, sync_info } = await call('status', Status)
    const height = safeInteger(sync_info.latest_block_height)
    const earliestHeight = safeInteger(sync_info.earliest_block_height)
    const blockTime = Date.parse(sync_info.latest_block_time)
    if (height === undefined || earliestHeight === undefined || Number.isNaN(blockTime)) {
      throw new Error('the status has an invalid block height or time')
    }
    return {
      chainId: node_info.network,
      height,
      earliestHeight,
      blockTime,
      catchingUp: sync_info.catching_up
    }
  }

  async function readBlockLimits() {
    const { max_gas, max_bytes } = (await call('consensus_params', ConsensusParams)).consensus_params.block
    return { gas: safeInteger(max_gas) || undefined, bytes: safeInteger(max_bytes) }
  }

  async function broadcast(transaction: Uint8Array): Promise<BroadcastResult> {
    try {
      const tx = Buffer.from(transaction).toString('base64')
      const { code, codespace = '', log = '' } = await call('broadcast_tx_sync', Broadcast, { tx })
      return code === 0 ? { status: 'accepted' } : { status: 'refused', code, codespace, log }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.match(IN_CACHE)) return { status: 'known' }
      // The code of the SDK for the same condition.
      if (error.match(TOO_LARGE)) return { status: 'refused', code: 21, codespace: 'sdk', log: error.message }
      return unavailable(error)
    }
  }

  async function resultsOf(height: number) {
    const deadline = clock.elapsed() + RESULTS_PATIENCE_MS
    const discarded = () =>
      new HistoryPrunedError(height, height + 1, `no node has stored the results of block ${height}`)
    for (;;) {
      try {
        return await call('block_results', BlockResults, { height: String(height) })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        if (error.match(RESULTS_DISCARDED)) throw discarded()
        if (error.match(NOT_YET) || error.match(PRUNED)) throw error
        if (!error.match(NO_RESULTS)) throw new ResultsUnreadableError(url.host, error)
        if ((await readStatus()).height >= height + RESULTS_OVERDUE_BLOCKS) throw discarded()
        if (clock.elapsed() >= deadline) throw error
      }
      await new Promise<void>(resolve => clock.after(RESULTS_STEP_MS, resolve))
    }
  }

  async function readBlock(height: number): Promise<ChainBlock | undefined> {
    try {
      const block = call('block', Block, { height: String(height) })
      const [found, results] = await Promise.all([block, resultsOf(height)])
      const [has, count] = [results.txs_results?.length ?? 0, found.block.data.txs?.length ?? 0]
      if (has < count)
        throw new ResultsUnreadableError(
          url.host,
          `block ${height} has ${count} transactions and ${has} results`
        )
      return toChainBlock(height, found, results)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.match(NOT_YET)) return undefined
      const lowest = safeInteger(error.match(PRUNED)?.[1])
      throw lowest === undefined ? error : new HistoryPrunedError(height, lowest)
    }
  }

  return {
    host: url.host,
    status: () => usable(readStatus()),
    account: (address, height) => usable(queries.account(address, height)),
    blockLimits: () => usable(readBlockLimits()),
    requiredPrices: () => usable(queries.requiredPrices()),
    balance: (address, denom) => usable(queries.balance(address, denom)),
    simulate: simulation => usable(queries.simulate(simulation)).catch(unavailable),
    broadcast: transaction => usable(broadcast(transaction)).catch(unavailable),
    block: height => usable(readBlock(height)),
    onNewBlock(listener) {
      stopListening = listenForBlocks(url, listener)
    },
    async close() {
      stopListening()
      await close()
    }
  }
}
