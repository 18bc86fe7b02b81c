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
import { createSubscription, type Subscription } from './subscriptions.ts'

/**
 * Serves JSON-RPC and the subscription to new blocks at `/websocket`. Responses on one connection are in the order of the requests; headers of
 * new blocks may come in between.
 * @returns a function that ends all connections
 */
export function serveWebSocket(server: Server, chain: Chain, methods: MethodTable): () => void {
  const sockets = new WebSocketServer({ server, path: '/websocket', maxPayload: MAX_REQUEST_BYTES })
  const connections = new Map<WebSocket, Subscription>()

  sockets.on('connection', socket => {
    const subscription = createSubscription()
    const table = new Map([...methods, ...Object.entries(subscription.methods)])
    let answered = Promise.resolve()
    connections.set(socket, subscription)
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
    for (const [socket, subscription] of connections) {
      const response = subscription.response(block)
      if (response !== undefined) send(socket, response)
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
