import WebSocket from 'ws'
import { parseJson } from '../../json.ts'
import type { UpstreamUrl } from '../../upstream/url.ts'
import { safeInteger } from '../safe-integer.ts'
import { NewBlockHeader } from './answer-shapes.ts'

const RECONNECT_MS = 1000

/** An announcement holds a header and the events of the whole block. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'new-block',
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" }
})

/**
 * Calls a listener with the height of each new block of a node. It only saves waiting: no block is missed when the
 * connection breaks, because blocks are polled over HTTP.
 */
export function listenForBlocks(
  { origin, headers, target }: UpstreamUrl,
  onBlock: (height: number) => void
): { close(): void } {
  let socket: WebSocket | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  function read(data: unknown): void {
    const message = typeof data === 'string' ? parseJson(data) : undefined
    if (!NewBlockHeader.Check(message)) return
    const height = safeInteger(message.result.data.value.header.height)
    if (height !== undefined) onBlock(height)
  }

  function connect(): void {
    const opened = new WebSocket(`${origin.replace(/^http/, 'ws')}${target('/websocket')}`, {
      headers,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false
    })
    socket = opened
    opened.addEventListener('open', () => opened.send(SUBSCRIBE))
    opened.addEventListener('message', ({ data }) => read(data))
    // 'close' follows every 'error' and starts the next attempt.
    opened.addEventListener('error', () => {})
    opened.addEventListener('close', () => {
      if (closed) return
      retry = setTimeout(connect, RECONNECT_MS)
      retry.unref()
    })
  }

  connect()
  return {
    close() {
      closed = true
      clearTimeout(retry)
      socket?.terminate()
    }
  }
}
