import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Chain } from '../chain/chain.ts'
import { dispatch, type MethodTable, NO_ID, socketCall } from './dispatch.ts'
import { GoJsonError, parseFirstGoJson } from './go-json.ts'
import { errorResponse, MAX_REQUEST_BYTES, parseError, parseRequest, type RpcResponse } from './json-rpc.ts'
import { RpcPanic } from './params/json-params.ts'
import { blockMessages } from './subscriptions/messages.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts'

/**
 * Serves JSON-RPC and subscriptions at `/websocket`. The requests of one connection are answered in order; events of
 * subscriptions may come in between.
 * @returns a function that ends all connections
 */
export function serveWebSocket(server: Server, chain: Chain, methods: MethodTable): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES })
  const connections = new Map<WebSocket, Subscriptions>()

  server.on('upgrade', (request, socket, head) => {
    if (new URL(request.url ?? '/', 'http://devnet').pathname !== '/websocket') {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, connect)
  })

  function connect(socket: WebSocket): void {
    const subscriptions = createSubscriptions(chain)
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
  }

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
    const request = readRequest(text)
    return request && (await dispatch(methods, socketCall(request)))
  } catch (error) {
    return errorResponse(error instanceof RpcPanic ? NO_ID : undefined, error)
  }
}

/** The first request of a message; a node ignores what follows it. @throws RpcError (-32700) */
function readRequest(text: string) {
  try {
    return parseRequest(parseFirstGoJson(text))
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error
    throw parseError(error.message === 'unexpected end of JSON input' ? 'unexpected EOF' : error.message)
  }
}

function send(socket: WebSocket, response: RpcResponse): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(response))
}
