import {
  isJsonRpcErrorResponse,
  type JsonRpcRequest,
  type JsonRpcSuccessResponse,
  parseJsonRpcResponse
} from '@cosmjs/json-rpc'
import type { RpcClient } from '@cosmjs/tendermint-rpc'
import { Pool } from 'undici'
import { parseJson } from '../json.ts'
import { parseUpstreamUrl, type UpstreamUrl } from '../upstream/url.ts'
import { NodeUnavailableError, RpcError } from './errors.ts'

/** The largest answer that is read: a block of the maximum size of CometBFT in base64, with its results. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

export interface NodeRpcClient extends RpcClient {
  /** The node to which requests go. */
  current(): UpstreamUrl
  /** Calls back when requests go to another node from now on. */
  onChange(listener: () => void): void
  close(): Promise<void>
}

/**
 * A CosmJS RPC client with persistent connections and a time-out. It uses one node until a request fails, then the next
 * of the list. The failed call is not repeated here, because only the caller knows whether that is safe.
 * @param nodes CometBFT RPC URLs in order of preference (interface 19.2)
 * @param timeoutMs how long one call may take
 * @throws NodeUnavailableError, RpcError from `execute`
 */
export function createNodeRpcClient(nodes: readonly string[], timeoutMs: number): NodeRpcClient {
  const connections = nodes.map(node => {
    const url = parseUpstreamUrl(node)
    return { url, pool: new Pool(url.origin, { maxResponseSize: MAX_ANSWER_BYTES }) }
  })
  let active = 0
  let changed = () => {}

  function connection() {
    const found = connections[active]
    if (!found) throw new TypeError('at least one RPC node is required')
    return found
  }

  async function post(url: UpstreamUrl, pool: Pool, request: JsonRpcRequest): Promise<unknown> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: url.target(''),
      headers: { 'content-type': 'application/json', ...url.headers },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeoutMs)
    })
    const text = await body.text()
    if (statusCode >= 400) throw new Error(`HTTP status ${statusCode}`)
    const answer = parseJson(text)
    // The parser's own error would repeat a part of the text, which may be a part of a secret.
    if (answer === undefined) throw new Error('the answer is not JSON')
    return answer
  }

  async function execute(request: JsonRpcRequest): Promise<JsonRpcSuccessResponse> {
    const asked = active
    const { url, pool } = connection()
    try {
      const response = parseJsonRpcResponse(await post(url, pool, request))
      if (isJsonRpcErrorResponse(response)) {
        const { code, message, data } = response.error
        const cause = typeof data === 'string' ? data : JSON.stringify(data ?? '')
        throw new RpcError(code, message, cause, url.scrub)
      }
      return response
    } catch (error) {
      if (error instanceof RpcError) throw error
      // Several calls may fail together: only the first switches to the next node.
      if (active === asked && connections.length > 1) {
        active = (active + 1) % connections.length
        changed()
      }
      throw new NodeUnavailableError(
        url.host,
        url.scrub(error instanceof Error ? error.message : String(error))
      )
    }
  }

  return {
    execute,
    disconnect: () => {},
    current: () => connection().url,
    onChange(listener) {
      changed = listener
    },
    close: async () => {
      await Promise.all(connections.map(({ pool }) => pool.destroy()))
    }
  }
}
