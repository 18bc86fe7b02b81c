import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Chain } from '../chain/chain.ts'
import type { ListenOptions, RunningServer } from '../http-server.ts'
import { handleHttp } from './http.ts'
import { noLies } from './lies.ts'
import { createMethods } from './methods/index.ts'
import { serveWebSocket } from './websocket.ts'

/**
 * Serves a chain as a CometBFT 0.37 node does: HTTP at the URL, WebSocket at its `/websocket`.
 * Closing ends every connection and every request under way.
 * @throws the system's error when the port cannot be had
 */
export async function createRpcServer(
  chain: Chain,
  { host, port }: ListenOptions,
  lies = noLies()
): Promise<RunningServer> {
  const closing = new AbortController()
  const methods = createMethods(chain, lies, closing.signal)
  const server = createServer((request, response) => {
    // What fails here is the connection itself (the client went away), and nobody is left to tell.
    handleHttp(methods, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const closeWebSockets = serveWebSocket(server, chain, methods)
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port

  async function shutDown(): Promise<void> {
    closing.abort()
    closeWebSockets()
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  let closed: Promise<void> | undefined

  return {
    url: `http://${host}:${actualPort}`,
    close() {
      closed ??= shutDown()
      return closed
    }
  }
}
