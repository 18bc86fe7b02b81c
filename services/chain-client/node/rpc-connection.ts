import { context, ROOT_CONTEXT } from '@opentelemetry/api'
import type { Static, TSchema } from '@sinclair/typebox'
import { Pool } from 'undici'
import WebSocket from 'ws'
import type { Clock } from '../../clock.ts'
import { messageOf, shorten } from '../../errors/shown.ts'
import { parseJson } from '../../json.ts'
import type { SchemaCheck } from '../../schema-check.ts'
import type { UpstreamUrl } from '../../upstream/url.ts'
import { NodeUnavailableError, RpcError } from '../errors.ts'
import { JsonRpcResponse, safeInteger } from './responses.ts'

const MIB = 1024 * 1024

export const SIMULATE_PATH = '/cosmos.tx.v1beta1.Service/Simulate'

/** The calls with large responses: that of a simulation has the events of all messages. All others are limited to one MiB. */
const LARGE = [SIMULATE_PATH, 'block', 'block_results']

/** The limit of all responses that a node is sending at the same time. */
const TOTAL_BYTES = 96 * MIB

/** A call that times out doubles the time limit of its kind, up to this value. Short calls keep their limit. */
const MAX_LIMIT_MS = 60_000
const SHORT = ['status', 'broadcast_tx_sync']

export type RpcConnection = ReturnType<typeof createRpcConnection>

/** @param options.timeoutMs initial time limit of a call */
export function createRpcConnection(url: UpstreamUrl, options: { timeoutMs: number; clock: Clock }) {
  const { timeoutMs, clock } = options
  /** The changed limits, by kind of call. */
  const limits = new Map<string, number>()
  const pool = new Pool(url.origin)
  let buffered = 0

  /** Reads the body up to the size limit. Throwing inside the loop closes the connection. */
  async function read(body: AsyncIterable<Buffer>, kind: string): Promise<string> {
    const most = LARGE.includes(kind) ? TOTAL_BYTES : MIB
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of body) {
        chunks.push(chunk)
        size += chunk.length
        buffered += chunk.length
        if (size > most || buffered > TOTAL_BYTES)
          throw new Error(`the response to ${kind} is larger than ${Math.min(size, most)} bytes`)
      }
      return Buffer.concat(chunks).toString()
    } finally {
      buffered -= size
    }
  }

  async function post(request: object, kind: string, signal: AbortSignal): Promise<unknown> {
    // The call may serve many requests, so it belongs to no single trace.
    const { statusCode, body } = await context.with(ROOT_CONTEXT, () =>
      pool.request({
        method: 'POST',
        path: url.target(''),
        headers: { 'content-type': 'application/json', ...url.headers },
        body: JSON.stringify(request),
        signal
      })
    )
    const text = await read(body, kind)
    if (statusCode >= 400) throw new Error(`HTTP status ${statusCode}`)
    const response = parseJson(text)
    // The parser's own error would quote the response, which might contain part of a secret.
    if (response === undefined) throw new Error('the response is not JSON')
    return response
  }

  return {
    /** @throws NodeUnavailableError, RpcError */
    async call<T extends TSchema>(
      method: string,
      shape: SchemaCheck<T>,
      params: Readonly<Record<string, unknown>> = {}
    ): Promise<Static<T>> {
      // All queries share one method, but only simulations have large responses.
      const kind = String(params['path'] ?? method)
      const limitMs = limits.get(kind) ?? timeoutMs
      const startedAt = clock.elapsed()
      const timeout = new AbortController()
      const cancel = clock.after(limitMs, () => timeout.abort(new Error(`no response within ${limitMs} ms`)))
      const setLimit = (ms: number) => SHORT.includes(kind) || limits.set(kind, Math.min(ms, MAX_LIMIT_MS))
      try {
        const response = await post({ jsonrpc: '2.0', id: method, method, params }, kind, timeout.signal)
        if (!JsonRpcResponse.Check(response)) throw new Error('the response is not JSON-RPC')
        setLimit(Math.max(timeoutMs, 2 * (clock.elapsed() - startedAt)))
        if (response.error) {
          const { code, message, data = '' } = response.error
          throw new RpcError(code, message, typeof data === 'string' ? data : JSON.stringify(data))
        }
        if (!shape.Check(response.result))
          throw new Error(`the response to ${method} has an unexpected format`)
        return response.result
      } catch (error) {
        if (error instanceof RpcError) throw error
        const timedOut = timeout.signal.aborted
        // If several calls time out at the same time, they extend the limit only once.
        if (timedOut) setLimit(Math.max(limits.get(kind) ?? timeoutMs, 2 * limitMs))
        throw new NodeUnavailableError(url.host, shorten(messageOf(error)), { timedOut })
      } finally {
        cancel()
      }
    },
    close: () => pool.destroy()
  }
}

const RECONNECT_MS = 1000

/** The maximum size of a WebSocket message. A message about a new block contains its header and all its events. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'new-block',
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" }
})

/**
 * Calls back with the height of each new block, and returns a function that stops listening. A broken connection loses
 * no blocks, because they are also polled over HTTP. CosmJS's own client reconnects without resubscribing.
 */
export function listenForBlocks(
  { origin, headers, target }: UpstreamUrl,
  onBlock: (height: number) => void
): () => void {
  const url = `${origin.replace(/^http/, 'ws')}${target('/websocket')}`
  let socket: WebSocket
  let retry: NodeJS.Timeout | undefined

  function connect(): void {
    socket = new WebSocket(url, { headers, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
    socket.addEventListener('open', () => socket.send(SUBSCRIBE))
    socket.addEventListener('message', ({ data }) => {
      const { result } = Object(parseJson(String(data)))
      const height = safeInteger(result?.data?.value?.header?.height)
      if (height !== undefined) onBlock(height)
    })
    // Every 'error' is followed by 'close'.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', reconnect)
  }

  function reconnect(): void {
    retry = setTimeout(connect, RECONNECT_MS).unref()
  }

  connect()
  return () => {
    socket.removeEventListener('close', reconnect)
    clearTimeout(retry)
    socket.terminate()
  }
}
