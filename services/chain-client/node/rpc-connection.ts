import {
  isJsonRpcErrorResponse,
  type JsonRpcRequest,
  type JsonRpcSuccessResponse,
  parseJsonRpcResponse
} from '@cosmjs/json-rpc'
import type { RpcClient } from '@cosmjs/tendermint-rpc'
import { Pool } from 'undici'
import type { Clock } from '../../clock.ts'
import { parseJson } from '../../json.ts'
import type { UpstreamUrl } from '../../upstream/url.ts'
import { NodeUnavailableError, RpcError } from '../errors.ts'
import type { AnswerBounds, Call } from './bounds.ts'
import { createTimeLimits } from './time-limits.ts'

/** The path of the ABCI query that simulates a transaction. */
export const SIMULATE_PATH = '/cosmos.tx.v1beta1.Service/Simulate'

export interface RpcConnection extends RpcClient {
  close(): Promise<void>
}

function callOf({ method, params }: JsonRpcRequest): Call {
  switch (method) {
    case 'status':
    case 'consensus_params':
    case 'broadcast_tx_sync':
    case 'block':
    case 'block_results':
      return method
    case 'abci_query':
      return 'path' in params && params['path'] === SIMULATE_PATH ? 'simulate' : 'account'
    default:
      throw new TypeError(`${method} is not a method that this service calls`)
  }
}

/**
 * A CosmJS RPC client of one node, with persistent connections, time-outs that grow with what is asked, and answers
 * that are cut off at a bound for each method.
 * @param options.timeoutMs how long a call may take before the limits grow
 * @throws NodeUnavailableError, RpcError from `execute`
 */
export function createRpcConnection(
  url: UpstreamUrl,
  options: { timeoutMs: number; bounds: AnswerBounds; clock: Clock }
): RpcConnection {
  const { timeoutMs, bounds, clock } = options
  const limits = createTimeLimits(timeoutMs)
  const pool = new Pool(url.origin)

  async function post(request: JsonRpcRequest, call: Call, signal: AbortSignal): Promise<unknown> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: url.target(''),
      headers: { 'content-type': 'application/json', ...url.headers },
      body: JSON.stringify(request),
      signal
    })
    const size = bounds.start(call)
    const chunks: Buffer[] = []
    try {
      // Leaving the loop by an error ends the connection.
      for await (const chunk of body) {
        size.add(chunk.length)
        chunks.push(chunk)
      }
      if (statusCode >= 400) throw new Error(`HTTP status ${statusCode}`)
      const answer = parseJson(Buffer.concat(chunks).toString())
      // The parser's own error would repeat a part of the text, which may be a part of a secret.
      if (answer === undefined) throw new Error('the answer is not JSON')
      return answer
    } finally {
      size.end()
    }
  }

  async function execute(request: JsonRpcRequest): Promise<JsonRpcSuccessResponse> {
    const call = callOf(request)
    const limitMs = limits.of(call)
    const startedAt = clock.elapsed()
    const timeout = new AbortController()
    const cancel = clock.after(limitMs, () => timeout.abort(new Error(`no answer within ${limitMs} ms`)))
    try {
      const response = parseJsonRpcResponse(await post(request, call, timeout.signal))
      limits.answered(call, clock.elapsed() - startedAt)
      if (!isJsonRpcErrorResponse(response)) return response
      const { code, message, data } = response.error
      const cause = typeof data === 'string' ? data : JSON.stringify(data ?? '')
      throw new RpcError(code, message, cause, url.scrub)
    } catch (error) {
      if (error instanceof RpcError) throw error
      const late = timeout.signal.aborted
      if (late) limits.late(call, limitMs)
      const reason = url.scrub(error instanceof Error ? error.message : String(error))
      throw new NodeUnavailableError(url.host, reason, { late })
    } finally {
      cancel()
    }
  }

  return { execute, disconnect: () => {}, close: () => pool.destroy() }
}
