import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Chain } from '../chain/chain.ts'
import type { ListenOptions, RunningServer } from '../http-server.ts'
import { noFaults } from './faults.ts'
import { handleHttp } from './http.ts'
import { createMethods } from './methods/index.ts'
import { serveWebSocket } from './websocket.ts'

/**
 * Starts an RPC server that behaves like a CometBFT node: HTTP at the URL, WebSocket at `/websocket`. `close` ends all
 * connections and pending requests.
 * @throws the system's error when the port is not available
 */
export async function createRpcServer(
  chain: Chain,
  { host, port }: ListenOptions,
  faults = noFaults()
): Promise<RunningServer> {
  const methods = createMethods(chain, faults)
  const server = createServer((request, response) => {
    // Fails only if the connection is broken, so no client is waiting for the response.
    handleHttp(methods, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const closeWebSockets = serveWebSocket(server, chain, methods)
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port

  async function shutDown(): Promise<void> {
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
