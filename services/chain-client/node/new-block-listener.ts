import WebSocket from 'ws'
import { parseJson } from '../../json.ts'
import type { UpstreamUrl } from '../../upstream/url.ts'
import { safeInteger } from './responses.ts'

const RECONNECT_MS = 1000

/** A message about a new block contains its header and all its events. */
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
