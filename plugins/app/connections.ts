import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { createUnreadGuard } from '../../services/http/unread-responses.ts'

const MAX_CONNECTIONS = 4096

/** Maximum duration of pending requests once the server has stopped accepting connections, in milliseconds. */
const LAST_MS = 5000

/**
 * Limits connections, and closes those with invalid HTTP and those whose clients do not read.
 * @param options.isEmbedded leaves connections alone that have carried only requests of the host program
 */
export default fp<{ isEmbedded: boolean }>(
  async (app, { isEmbedded }) => {
    const { server } = app
    server.maxConnections = MAX_CONNECTIONS
    // Otherwise Node drops the headers after the first 1,000 or so. `maxHeaderSize` limits their number.
    server.maxHeadersCount = 0
    const dropped = onceAMinute(connections =>
      app.log.warn({ connections }, 'too many connections, closing new ones')
    )
    server.on('drop', dropped)
    // No hook runs for these connections, so they get no request log line and count against no client's limit.
    const rejected = onceAMinute<NodeJS.ErrnoException>((connections, { code }) =>
      app.log.info({ connections, code }, 'invalid or late HTTP requests, connections closed')
    )
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
    server.prependListener('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code !== 'ECONNRESET') rejected(error)
      if (Array.from(open.get(socket) ?? []).some(({ complete }) => complete)) socket.destroy()
    })

    const closed = onceAMinute(connections =>
      app.log.warn({ connections }, 'closing connections whose clients do not read their responses')
    )
    const unread = createUnreadGuard(closed)
    if (isEmbedded)
      // Unlike later `onRequest` hooks, this one also runs for rejected requests.
      app.addHook('onSend', ({ socket }, _reply, _payload, done) => {
        // `inject` has no connection.
        if (socket instanceof Socket) unread.watch(socket)
        done()
      })
    else {
      server.on('connection', unread.watch)
      // Otherwise Node would respond 417 before any hook runs. Like other unknown headers, this one is ignored.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    }

    let last: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      last = setTimeout(() => server.closeAllConnections(), LAST_MS)
    })
    app.addHook('onClose', async () => {
      clearTimeout(last)
      unread.stop()
    })
  },
  // The `preClose` hook must run after those of `drain` and `submissions`.
  { name: 'connections', dependencies: ['drain', 'submissions'] }
)
