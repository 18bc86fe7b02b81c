import { WebSocket } from 'undici'
import type { UpstreamUrl } from '../upstream/url.ts'

const RECONNECT_MS = 1000
const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'new-block',
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" }
})

/**
 * Calls a listener at each new block of the current node. It only saves waiting: no block is missed when the connection
 * breaks, because blocks are polled over HTTP.
 */
export function listenForBlocks(currentNode: () => UpstreamUrl, onBlock: () => void): { close(): void } {
  let socket: WebSocket | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  function connect(): void {
    const { origin, headers, target } = currentNode()
    const opened = new WebSocket(`${origin.replace(/^http/, 'ws')}${target('/websocket')}`, { headers })
    socket = opened
    opened.addEventListener('open', () => opened.send(SUBSCRIBE))
    opened.addEventListener('message', onBlock)
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
      socket?.close()
    }
  }
}
