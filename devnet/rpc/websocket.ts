import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Chain } from '../chain/chain.ts'
import {
  dispatch,
  errorResponse,
  MAX_REQUEST_BYTES,
  type MethodTable,
  parseJson,
  parseRequest,
  type RpcResponse
} from './json-rpc.ts'
import { blockMessages, createSubscriptions, type Subscriptions } from './subscriptions.ts'

/**
 * Serves JSON-RPC and subscriptions at `/websocket`. The requests of one connection are answered in order; events of
 * subscriptions may come in between.
 * @returns a function that ends all connections
 */
export function serveWebSocket(server: Server, chain: Chain, methods: MethodTable): () => void {
  const sockets = new WebSocketServer({ server, path: '/websocket', maxPayload: MAX_REQUEST_BYTES })
  const connections = new Map<WebSocket, Subscriptions>()

  sockets.on('connection', socket => {
    const subscriptions = createSubscriptions()
    const table = new Map([...methods, ...Object.entries(subscriptions.methods)])
    let answered = Promise.resolve()
    connections.set(socket, subscriptions)
    socket.on('close', () => connections.delete(socket))
    // A broken frame or connection ends this connection only; `close` follows.
    socket.on('error', () => {})
    socket.on('message', data => {
      answered = answered.then(async () => {
        const response = await answer(table, String(data))
        if (response !== undefined) send(socket, response)
      })
    })
  })

  const unsubscribe = chain.onBlock(block => {
    const subscribed = [...connections].filter(([, { size }]) => size > 0)
    if (subscribed.length === 0) return
    for (const message of blockMessages(chain, block)) {
      for (const [socket, subscriptions] of subscribed) {
        for (const response of subscriptions.responses(message)) send(socket, response)
      }
    }
  })

  return () => {
    unsubscribe()
    for (const socket of connections.keys()) socket.terminate()
    sockets.close()
  }
}

async function answer(methods: MethodTable, text: string): Promise<RpcResponse | undefined> {
  try {
    const request = parseRequest(parseJson(text))
    return request && (await dispatch(methods, request))
  } catch (error) {
    return errorResponse(undefined, error)
  }
}

function send(socket: WebSocket, response: RpcResponse): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(response))
}
