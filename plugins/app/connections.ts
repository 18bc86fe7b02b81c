import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { type ErrorResponse, errorResponse } from '../../services/http/error-response.ts'

const MOST_CONNECTIONS = 4096

/** Maximum duration of pending requests once the server has stopped accepting connections, in milliseconds. */
const LAST_MS = 5000

/** Limits connections, and responds to invalid HTTP. */
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

    const requests = new WeakMap<IncomingMessage, FastifyRequest>()
    app.addHook('onRequest', (request, _reply, done) => {
      requests.set(request.raw, request)
      done()
    })
    const pending = new WeakMap<Duplex, Set<IncomingMessage>>()
    server.on('request', (request, response) => {
      const open = pending.get(request.socket) ?? new Set()
      pending.set(request.socket, open.add(request))
      response.once('close', () => open.delete(request))
    })
    // Replaces Fastify's own listener for parser errors and timeouts.
    server.removeAllListeners('clientError').on('clientError', (error, socket) => {
      const open = Array.from(pending.get(socket) ?? [])
      const response = errorResponse(Object.assign(error, { statusCode: 400 }), randomUUID())
      for (const incomplete of open.filter(({ complete }) => !complete)) {
        const request = requests.get(incomplete)
        if (request === undefined) continue
        // Keep the first error. After a timeout, the second error only reports that the client closed the connection.
        request.parserError ??= error
        request.errorCode ??= response.code
      }
      // Send nothing while another request on the connection is pending: the client would mistake this response for the
      // response to that request, which might be an accepted submission.
      const isWaiting = open.some(({ complete }) => complete)
      if (isWaiting || !socket.writable) socket.destroy()
      else socket.end(written(response))
    })

    let last: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      last = setTimeout(() => server.closeAllConnections(), LAST_MS)
    })
    app.addHook('onClose', async () => clearTimeout(last))
  },
  // The `preClose` hook must run after those of `drain` and `submissions`.
  { name: 'connections', dependencies: ['drain', 'error-handler', 'submissions'] }
)

function written({ statusCode, headers, body }: ErrorResponse): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${text}`
}
