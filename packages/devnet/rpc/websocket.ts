import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Block } from '../chain/blocks/block-store.ts'
import { encodeHeader } from '../chain/blocks/header.ts'
import type { Chain } from '../chain/index.ts'
import {
  MAX_REQUEST_BYTES,
  type Methods,
  type RpcId,
  type RpcResponse,
  respond,
  successResponse
} from './json-rpc.ts'

/** The only supported subscription. */
const QUERY = "tm.event='NewBlockHeader'"

/**
 * Serves JSON-RPC and the subscription to new block headers at `/websocket`.
 * @returns a function that closes all connections
 */
export function serveWebSocket(server: Server, chain: Chain, methods: Methods): () => void {
  const sockets = new WebSocketServer({ server, path: '/websocket', maxPayload: MAX_REQUEST_BYTES })
  /** The id of each connection's subscription. */
  const subscribed = new Map<WebSocket, RpcId>()

  sockets.on('connection', socket => {
    const all: Methods = {
      ...methods,
      subscribe({ query = '' }, id) {
        if (query !== QUERY) throw new Error(`failed to parse query: ${query}`)
        if (subscribed.has(socket)) throw new Error('already subscribed')
        subscribed.set(socket, id)
        return {}
      }
    }
    socket.on('close', () => subscribed.delete(socket))
    // Ignore errors such as an invalid frame. `close` follows.
    socket.on('error', () => {})
    socket.on('message', data => send(socket, respond(all, String(data))))
  })

  const unsubscribe = chain.onBlock(block => {
    for (const [socket, id] of subscribed) send(socket, headerMessage(id, block))
  })

  return () => {
    unsubscribe()
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}

/** Creates the message that sends a new block header to a subscriber. */
function headerMessage(id: RpcId, block: Block): RpcResponse {
  const value = { header: encodeHeader(block), num_txs: String(block.txs.length) }
  const data = { type: 'tendermint/event/NewBlockHeader', value }
  return successResponse(id, { query: QUERY, data, events: { 'tm.event': ['NewBlockHeader'] } })
}

function send(socket: WebSocket, response: RpcResponse): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(response))
}
