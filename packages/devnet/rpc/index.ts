import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Chain } from '../chain/index.ts'
import type { ListenOptions, RunningServer } from '../http-server.ts'
import { MAX_REQUEST_BYTES, type Methods, respond } from './json-rpc.ts'
import { createMethods } from './methods.ts'
import { serveWebSocket } from './websocket.ts'

/**
 * Starts an RPC server that behaves like a CometBFT node: HTTP at the URL, WebSocket at `/websocket`.
 * @throws the system's error when the port is not available
 */
export async function createRpcServer(chain: Chain, { host, port }: ListenOptions): Promise<RunningServer> {
  const methods = createMethods(chain)
  const server = createServer((request, response) => {
    // Fails only if the connection is broken, so no client is waiting for the response.
    handle(methods, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const closeWebSockets = serveWebSocket(server, chain, methods)
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port

  return {
    url: `http://${host}:${actualPort}`,
    async close() {
      if (!server.listening) return
      closeWebSockets()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

async function handle(methods: Methods, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) {
    response.writeHead(400).end('http: request body too large')
  } else if (request.url === '/' && request.method === 'POST') {
    const text = JSON.stringify(respond(methods, body))
    const length = Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text)
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
  }
}

/** Reads the body to the end, so that the client receives the response. @returns undefined if the body is too large */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_REQUEST_BYTES) chunks.push(chunk)
  }
  return size <= MAX_REQUEST_BYTES ? Buffer.concat(chunks).toString() : undefined
}
