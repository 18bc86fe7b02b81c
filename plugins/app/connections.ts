import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'

const MOST_CONNECTIONS = 4096

/** Maximum duration of pending requests once the server has stopped accepting connections, in milliseconds. */
const LAST_MS = 5000

/** Limits connections, and closes those with invalid HTTP. */
export default fp(
  async app => {
    const { server } = app
    server.maxConnections = MOST_CONNECTIONS
    const dropped = onceAMinute(connections =>
      app.log.warn({ connections }, 'too many connections, closing new ones')
    )
    server.on('drop', dropped)
    // Node would continue reading, and respond 503 to each request beyond `maxRequestsPerSocket`.
    server.on('dropRequest', (_request, socket) => socket.destroy())

    const open = new WeakMap<Duplex, Set<IncomingMessage>>()
    server.on('request', (request, response) => {
      const requests = open.get(request.socket) ?? new Set()
      open.set(request.socket, requests.add(request))
      response.once('close', () => requests.delete(request))
    })
    // Runs before Fastify's own listener, which sends nothing to a destroyed socket. While another request on the
    // connection waits, the client would mistake the error for that request's response.
    server.prependListener('clientError', (_error, socket) => {
      if (Array.from(open.get(socket) ?? []).some(({ complete }) => complete)) socket.destroy()
    })

    let last: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      last = setTimeout(() => server.closeAllConnections(), LAST_MS)
    })
    app.addHook('onClose', async () => clearTimeout(last))
  },
  // The `preClose` hook must run after those of `drain` and `submissions`.
  { name: 'connections', dependencies: ['drain', 'submissions'] }
)
