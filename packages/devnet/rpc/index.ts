import type { Chain } from '../chain/index.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import { MAX_REQUEST_BYTES, respond } from './json-rpc.ts'
import { createMethods } from './methods.ts'
import { serveWebSocket } from './websocket.ts'

/** Larger bodies than allowed are read up to this size, so that the client receives the response. */
const MAX_READ_BYTES = 100 * MAX_REQUEST_BYTES

/**
 * Starts an RPC server that behaves like a CometBFT node: HTTP at the URL, WebSocket at `/websocket`.
 * @throws the system's error when the port is not available
 */
export async function createRpcServer(chain: Chain, options: ListenOptions): Promise<RunningServer> {
  const methods = createMethods(chain)
  const app = createApp()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_READ_BYTES }, (_request, body, done) =>
    done(null, body)
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('404 page not found\n'))
  app.post<{ Body?: string }>('/', async ({ body = '' }, reply) => {
    if (Buffer.byteLength(body) <= MAX_REQUEST_BYTES) return respond(methods, body)
    return reply.code(400).type('text/plain').send('http: request body too large')
  })
  const { url, close } = await listen(app, options)
  const closeWebSockets = serveWebSocket(app.server, chain, methods)
  return {
    url,
    close() {
      closeWebSockets()
      return close()
    }
  }
}
