import { accountFromAny } from '@cosmjs/stargate'
import { Comet1Client, Comet38Client, type CometClient, Tendermint37Client } from '@cosmjs/tendermint-rpc'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AbciAnswer, ConsensusParams } from './answer-shapes.ts'
import { readBroadcastAnswer, readBroadcastError } from './broadcast-answer.ts'
import { toChainBlock } from './chain-block.ts'
import { NodeUnavailableError, RpcError } from './errors.ts'
import { listenForBlocks } from './new-block-listener.ts'
import { createNodeRpcClient } from './rpc-client.ts'
import { safeInteger } from './safe-integer.ts'
import type { AccountState, BroadcastAnswer, ChainBlock, ChainClient, SimulationAnswer } from './types.ts'

export { transactionHash } from './chain-block.ts'
export { safeInteger } from './safe-integer.ts'
export type * from './types.ts'
export { NodeUnavailableError }

/** Codes of the `sdk` codespace for a queried account that does not exist. */
const NOT_FOUND_CODES = [9, 22, 38]

/**
 * The chain over CometBFT RPC (0.37, 0.38 or 1.x, by the first node's answer).
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

  /** Turns every error but a JSON-RPC error into NodeUnavailableError, an unreadable answer included. */
  async function ask<T>(question: (client: CometClient) => Promise<T>): Promise<T> {
    try {
      return await question(await comet())
    } catch (error) {
      if (error instanceof RpcError || error instanceof NodeUnavailableError) throw error
      throw new NodeUnavailableError(rpc.current().host, error)
    }
  }

  async function query(client: CometClient, path: string, data: Uint8Array) {
    const answer = await client.abciQuery({ path, data })
    if (!AbciAnswer.Check(answer)) throw new Error(`the answer to ${path} cannot be read`)
    return answer
  }

  async function status() {
    const { nodeInfo, syncInfo } = await ask(client => client.status())
    return { chainId: nodeInfo.network, height: syncInfo.latestBlockHeight }
  }

  function account(address: string): Promise<AccountState | undefined> {
    return ask(async client => {
      const request = QueryAccountRequest.encode({ address }).finish()
      const answer = await query(client, '/cosmos.auth.v1beta1.Query/Account', request)
      if (answer.code && NOT_FOUND_CODES.includes(answer.code)) return undefined
      const { height } = answer
      const found = QueryAccountResponse.decode(answer.value).account
      if (answer.code || !found || !height) throw new Error(answer.log || 'the account cannot be read')
      const { accountNumber, sequence } = accountFromAny(found)
      return { accountNumber, sequence, height }
    })
  }

  function blockGasLimit(): Promise<number | undefined> {
    const request = {
      jsonrpc: '2.0',
      id: 'consensus-params',
      method: 'consensus_params',
      params: {}
    } as const
    return ask(async () => {
      const { result } = await rpc.execute(request)
      if (!ConsensusParams.Check(result)) throw new Error('the consensus parameters cannot be read')
      return safeInteger(result.consensus_params.block.max_gas) || undefined
    })
  }

  async function simulate(transaction: Uint8Array): Promise<SimulationAnswer> {
    try {
      return await ask(async client => {
        const request = SimulateRequest.encode({ txBytes: transaction }).finish()
        const answer = await query(client, '/cosmos.tx.v1beta1.Service/Simulate', request)
        const { code = 0, codespace = '', log = '' } = answer
        if (code !== 0) return { status: 'failed', code, codespace, log }
        const gasUsed = safeInteger(SimulateResponse.decode(answer.value).gasInfo?.gasUsed)
        if (!gasUsed) throw new Error('the gas of a simulation cannot be read')
        return { status: 'passed', gasUsed }
      })
    } catch (error) {
      return { status: 'unavailable', reason: String(error) }
    }
  }

  async function broadcast(transaction: Uint8Array): Promise<BroadcastAnswer> {
    try {
      return await ask(async client => {
        const answer = await client.broadcastTxSync({ tx: transaction })
        if (!AbciAnswer.Check(answer)) throw new Error('the answer to a broadcast cannot be read')
        return readBroadcastAnswer(answer)
      })
    } catch (error) {
      return readBroadcastError(error)
    }
  }

  async function block(height: number): Promise<ChainBlock | undefined> {
    try {
      return await ask(async client => {
        const [found, results] = await Promise.all([client.block(height), client.blockResults(height)])
        return toChainBlock(height, found, results)
      })
    } catch (error) {
      // CometBFT has no error code for a height that does not exist yet.
      if (error instanceof RpcError && error.says('current blockchain height')) return undefined
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
