import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import type { Clock } from '../../clock.ts'
import { parseUpstreamUrl } from '../../upstream/url.ts'
import { HistoryPrunedError, NodeUnavailableError, ResultsDiscardedError, RpcError } from '../errors.ts'
import { safeInteger } from '../safe-integer.ts'
import { shorten } from '../shorten.ts'
import type {
  AccountState,
  BroadcastAnswer,
  ChainBlock,
  ChainNode,
  NodeStatus,
  SimulationAnswer
} from '../types.ts'
import { readAccountNumbers } from './account.ts'
import { AbciQuery, Broadcast, ConsensusParams, Status } from './answer-shapes.ts'
import { fromBase64 } from './base64.ts'
import { createAnswerBounds } from './bounds.ts'
import { readBroadcastAnswer, readBroadcastError } from './broadcast-answer.ts'
import { toChainBlock } from './chain-block.ts'
import { listenForBlocks } from './new-block-listener.ts'
import { createRpcConnection, SIMULATE_PATH } from './rpc-connection.ts'
import { simulatedGas, simulateRequest } from './simulation.ts'

/** Codes of the `sdk` codespace for a queried account that does not exist. */
const NOT_FOUND_CODES = [9, 22, 38]

/** CometBFT commits a block before its results can be read. */
const RESULTS_STEP_MS = 50
const RESULTS_PATIENCE_MS = 5000

/** A node that is so many blocks past a block had its results, and has not stored them. */
const RESULTS_OVERDUE_BLOCKS = 3

/** CometBFT has no error codes, only texts. */
const NOT_YET = 'current blockchain height'
const NO_RESULTS = 'could not find results for height'
const RESULTS_DISCARDED = 'node is not persisting'
const PRUNED = /is not available, lowest height is (\d+)/

/**
 * One node over CometBFT RPC (0.37, 0.38 or 1.x).
 * @param options.url its RPC URL
 * @param options.timeoutMs how long one call may take at first; calls that are too slow for it are given more time
 */
export function createRpcNode(options: { url: string; timeoutMs: number; clock: Clock }): ChainNode {
  const { timeoutMs, clock } = options
  const url = parseUpstreamUrl(options.url)
  const bounds = createAnswerBounds()
  const { call, close } = createRpcConnection(url, { timeoutMs, bounds, clock })
  const listeners: { close(): void }[] = []
  let hasBounds = false

  /** Turns every error of the node into NodeUnavailableError, an unreadable answer included. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question()
    } catch (error) {
      if (error instanceof NodeUnavailableError || error instanceof HistoryPrunedError) throw error
      throw new NodeUnavailableError(url.host, error)
    }
  }

  async function readStatus(): Promise<NodeStatus> {
    const result = await call('status')
    if (!Status.Check(result)) throw new Error('the status cannot be read')
    const { node_info, sync_info } = result
    const height = safeInteger(sync_info.latest_block_height)
    const blockTime = Date.parse(sync_info.latest_block_time)
    if (height === undefined || Number.isNaN(blockTime)) throw new Error('the newest block cannot be read')
    // The bound of a block is the default until the parameters are known.
    if (!hasBounds) readBlockGasLimit().catch(() => {})
    return {
      chainId: node_info.network,
      height,
      earliestHeight: safeInteger(sync_info.earliest_block_height) ?? 1,
      blockTime,
      catchingUp: sync_info.catching_up ?? false
    }
  }

  async function query(path: string, data: Uint8Array) {
    const answer = await call('abci_query', { path, data: Buffer.from(data).toString('hex') })
    if (!AbciQuery.Check(answer)) throw new Error(`the answer to ${path} cannot be read`)
    return answer.response
  }

  async function readAccount(address: string): Promise<AccountState | undefined> {
    const request = QueryAccountRequest.encode({ address }).finish()
    const answer = await query('/cosmos.auth.v1beta1.Query/Account', request)
    if (answer.code && NOT_FOUND_CODES.includes(answer.code)) return undefined
    const height = safeInteger(answer.height)
    const found = QueryAccountResponse.decode(fromBase64(answer.value ?? '')).account
    if (answer.code || !found || !height) throw new Error(shorten(answer.log || 'the account cannot be read'))
    return { ...readAccountNumbers(found), height }
  }

  async function readBlockGasLimit(): Promise<number | undefined> {
    const result = await call('consensus_params')
    if (!ConsensusParams.Check(result)) throw new Error('the consensus parameters cannot be read')
    const { max_gas, max_bytes } = result.consensus_params.block
    hasBounds = true
    if (max_bytes !== undefined) bounds.setBlockBytes(safeInteger(max_bytes))
    return safeInteger(max_gas) || undefined
  }

  async function readBalance(address: string, denom: string): Promise<bigint> {
    const request = QueryBalanceRequest.encode({ address, denom }).finish()
    const { code, log, value } = await query('/cosmos.bank.v1beta1.Query/Balance', request)
    const { balance } = QueryBalanceResponse.decode(fromBase64(value ?? ''))
    if (code || balance?.denom !== denom || !/^\d+$/.test(balance.amount)) {
      throw new Error(shorten(log || 'the balance cannot be read'))
    }
    return BigInt(balance.amount)
  }

  async function simulateOnce(transaction: Uint8Array): Promise<SimulationAnswer> {
    const answer = await query(SIMULATE_PATH, simulateRequest(transaction))
    const { code = 0, codespace = '', log = '' } = answer
    if (code !== 0) return { status: 'failed', code, codespace, log: shorten(log) }
    const gasUsed = safeInteger(simulatedGas(fromBase64(answer.value ?? '')))
    if (!gasUsed) throw new Error('the gas of a simulation cannot be read')
    return { status: 'passed', gasUsed }
  }

  async function simulate(transaction: Uint8Array): Promise<SimulationAnswer> {
    try {
      return await ask(() => simulateOnce(transaction))
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
      return readBroadcastError(error, transaction.length)
    }
  }

  /**
   * Waits, in short steps and for a bounded time, until the node has the results of a block that it has.
   * @throws ResultsDiscardedError when it has not stored them (interface 19.12)
   */
  async function resultsOf(height: number): Promise<unknown> {
    const deadline = clock.elapsed() + RESULTS_PATIENCE_MS
    for (;;) {
      try {
        return await call('block_results', { height: String(height) })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        if (error.says(RESULTS_DISCARDED)) throw new ResultsDiscardedError(height)
        if (!error.says(NO_RESULTS)) throw error
        const { height: newest } = await readStatus()
        if (newest >= height + RESULTS_OVERDUE_BLOCKS) throw new ResultsDiscardedError(height)
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
      const lowest = safeInteger(error.match(PRUNED))
      throw lowest === undefined ? error : new HistoryPrunedError(height, lowest)
    }
  }

  return {
    host: url.host,
    status: () => ask(readStatus),
    account: address => ask(() => readAccount(address)),
    blockGasLimit: () => ask(readBlockGasLimit),
    balance: (address, denom) => ask(() => readBalance(address, denom)),
    simulate,
    broadcast,
    block: height => ask(() => readBlock(height)),
    onNewBlock(listener) {
      listeners.push(listenForBlocks(url, listener))
    },
    async close() {
      for (const listener of listeners) listener.close()
      await close()
    }
  }
}
