import { createHash } from 'node:crypto'
import { toHex } from '@cosmjs/encoding'
import { accountFromAny } from '@cosmjs/stargate'
import {
  Comet1Client,
  Comet38Client,
  type CometClient,
  Tendermint37Client,
  type tendermint37
} from '@cosmjs/tendermint-rpc'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { answerOfBroadcast, answerOfBroadcastError } from './broadcast-answer.ts'
import { NodeUnavailableError, RpcError } from './errors.ts'
import { listenForBlocks } from './new-block-listener.ts'
import { createNodeRpcClient } from './rpc-client.ts'
import type { AccountState, ChainBlock, ChainClient, SimulationAnswer } from './types.ts'

export type * from './types.ts'
export { NodeUnavailableError }

/** `sdk` codespace: the key or account that a query asked for does not exist. */
const NOT_FOUND_CODES = [9, 22, 38]

const upperHex = (bytes: Uint8Array) => toHex(bytes).toUpperCase()

/** @returns the hash by which the chain knows a transaction: sha256, upper-case hex */
export function transactionHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase()
}

/**
 * The chain over CometBFT RPC (0.37, 0.38 or 1.x, as the first node says).
 * @param options.nodes RPC URLs in order of preference
 * @param options.timeoutMs how long one call may take
 */
export function createChainClient(options: { nodes: readonly string[]; timeoutMs: number }): ChainClient {
  const rpc = createNodeRpcClient(options.nodes, options.timeoutMs)
  let connected: CometClient | undefined
  let listener: { close(): void } | undefined

  async function comet(): Promise<CometClient> {
    if (connected) return connected
    const client = Tendermint37Client.create(rpc)
    const { version } = (await client.status()).nodeInfo
    if (version.startsWith('0.38.')) connected = Comet38Client.create(rpc)
    else if (version.startsWith('1.')) connected = Comet1Client.create(rpc)
    else connected = client
    return connected
  }

  /** What the CosmJS decoders cannot read is no answer either. */
  async function ask<T>(question: (client: CometClient) => Promise<T>): Promise<T> {
    try {
      return await question(await comet())
    } catch (error) {
      if (error instanceof RpcError || error instanceof NodeUnavailableError) throw error
      throw new NodeUnavailableError(rpc.current().host, error)
    }
  }

  function query(path: string, data: Uint8Array) {
    return ask(client => client.abciQuery({ path, data }))
  }

  async function status() {
    const { nodeInfo, syncInfo } = await ask(client => client.status())
    return { chainId: nodeInfo.network, height: syncInfo.latestBlockHeight }
  }

  async function account(address: string): Promise<AccountState | undefined> {
    const request = QueryAccountRequest.encode({ address }).finish()
    const response = await query('/cosmos.auth.v1beta1.Query/Account', request)
    if (response.code && NOT_FOUND_CODES.includes(response.code)) return undefined
    const found = QueryAccountResponse.decode(response.value).account
    if (response.code || !found) {
      throw new NodeUnavailableError(rpc.current().host, response.log ?? 'account query failed')
    }
    const { accountNumber, sequence } = accountFromAny(found)
    return { accountNumber, sequence: Number(sequence), height: response.height ?? 0 }
  }

  async function blockGasLimit(): Promise<number | undefined> {
    const request = {
      jsonrpc: '2.0',
      id: 'consensus-params',
      method: 'consensus_params',
      params: {}
    } as const
    const limit = Number((await rpc.execute(request)).result?.consensus_params?.block?.max_gas)
    return limit > 0 ? limit : undefined
  }

  async function simulate(transaction: Uint8Array): Promise<SimulationAnswer> {
    try {
      const request = SimulateRequest.encode({ txBytes: transaction }).finish()
      const response = await query('/cosmos.tx.v1beta1.Service/Simulate', request)
      const { code = 0, codespace, log = '' } = response
      if (code !== 0) return { status: 'failed', code, codespace, log }
      return {
        status: 'passed',
        gasUsed: Number(SimulateResponse.decode(response.value).gasInfo?.gasUsed ?? 0n)
      }
    } catch (error) {
      return { status: 'unavailable', reason: String(error) }
    }
  }

  async function broadcast(transaction: Uint8Array) {
    try {
      return answerOfBroadcast(await ask(client => client.broadcastTxSync({ tx: transaction })))
    } catch (error) {
      return answerOfBroadcastError(error)
    }
  }

  async function block(height: number): Promise<ChainBlock | undefined> {
    try {
      const [{ blockId, block }, results] = await Promise.all([
        ask(client => client.block(height)),
        ask<{ results: readonly tendermint37.TxData[] }>(client => client.blockResults(height))
      ])
      const transactions = block.txs.map((bytes, index) => {
        const result = results.results[index]
        if (!result) throw new NodeUnavailableError(rpc.current().host, `block ${height} lacks results`)
        const { code, codespace = '', log = '', data = new Uint8Array(), events } = result
        const gas = { gasWanted: Number(result.gasWanted), gasUsed: Number(result.gasUsed) }
        return {
          hash: transactionHash(bytes),
          code,
          codespace,
          log,
          data,
          events: copyEvents(events),
          ...gas
        }
      })
      const { chainId, lastBlockId } = block.header
      const previousHash = lastBlockId ? upperHex(lastBlockId.hash) : undefined
      return { chainId, height, hash: upperHex(blockId.hash), previousHash, transactions }
    } catch (error) {
      // CometBFT has no code of its own for a height that it does not have yet.
      if (error instanceof RpcError && error.data.includes('current blockchain height')) return undefined
      throw error
    }
  }

  return {
    status,
    account,
    blockGasLimit,
    simulate,
    broadcast,
    block,
    onNodeChange: rpc.onChange,
    onNewBlock(onBlock) {
      listener = listenForBlocks(rpc.current, onBlock)
    },
    async close() {
      listener?.close()
      await rpc.close()
    }
  }
}

type DecodedEvent = { type: string; attributes: readonly { key: string; value: string }[] }

function copyEvents(events: readonly DecodedEvent[]) {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value }) => ({ key, value }))
  }))
}
