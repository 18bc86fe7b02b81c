import type { IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { errorAnswer } from '../../services/errors/answer.ts'
import { errorCatalogue } from '../../services/errors/catalogue.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { Connections, mostDescriptors } from '../../services/http/connections.ts'
import { answerAndEnd, endSoon } from '../../services/http/last-answer.ts'
import { onceAMinute } from '../../services/http/once-a-minute.ts'
import { Pipelining } from '../../services/http/pipelining.ts'
import { requestId } from '../../services/http/request-id.ts'

/** Far more than a server has work for (interface 21.6). */
const MOST_CONNECTIONS = 4096

/** How long a connection may be without a request, in milliseconds (interface 21.2). */
const UNUSED_MS = 90_000

/** The same while the server is stopping: browsers open connections in advance, and Node waits for their requests. */
const UNUSED_WHILE_STOPPING_MS = 1000

/** How long bodies may take to arrive when the server accepts no more connections, in milliseconds (interface 21.10). */
const LAST_BODIES_MS = 5000

/** Bounds how many connections there are, and what their clients can do to keep them (interface 21.1 to 21.7, 21.11). */
export default fp(
  async app => {
    const { server } = app
    const connections = new Connections()
    const pipelining = new Pipelining()
    const broken = new WeakSet<Duplex>()
    /** Their last answer is being sent. */
    const closing = new WeakSet<Duplex>()

    // The other descriptors are for files and upstreams.
    server.maxConnections = Math.min(MOST_CONNECTIONS, Math.floor(mostDescriptors() / 2))
    // Behind proxies, all connections are those of few addresses.
    const mostOfOneClient =
      app.config.TRUST_PROXY === false ? server.maxConnections / 4 : server.maxConnections
    const refused = onceAMinute(count =>
      app.log.warn({ connections: count }, 'connections are closed, because there are too many')
    )
    const flooded = onceAMinute(count =>
      app.log.warn(
        { connections: count },
        'connections are closed, because they sent too many requests at once'
      )
    )
    server.on('drop', refused)
    server.on('connection', socket => {
      if (connections.opened(socket) <= mostOfOneClient) return
      refused()
      socket.destroy()
    })
    // Before Fastify, which may answer in its own listener. Also requests to other routes, when the service is a part of
    // another program.
    server.prependListener('request', request => {
      connections.inUse(request.socket)
      if (pipelining.isTooMuch(request)) flooded()
    })

    app.addHook('onRequest', ({ raw }, _reply, done) => {
      connections.requested(raw)
      done()
    })

    app.addHook('onSend', ({ raw }, reply, payload, done) => {
      if (isArriving(raw)) {
        connections.requested(raw)
        // What came with the headers is read in this turn of the event loop.
        setImmediate(beforeAnswer, raw, reply, payload, done)
      } else beforeAnswer(raw, reply, payload, done)
    })

    function beforeAnswer(
      request: IncomingMessage,
      reply: FastifyReply,
      payload: unknown,
      done: () => void
    ): void {
      // A stream is under way until all of it is sent, however long it pauses.
      if (payload instanceof Readable) payload.once('close', () => connections.answered(request))
      else connections.answered(request)
      const isEarly = isArriving(request)
      const isLast = isEarly || app.stopping.aborted || broken.has(request.socket)
      if (isLast) reply.header('connection', 'close')
      if (isLast || !reply.raw.shouldKeepAlive) closing.add(request.socket)
      // Node calls this when it has sent an answer that closes the connection.
      if (isEarly) request.socket.destroySoon = () => endSoon(request.socket)
      done()
    }

    // In place of Fastify's own listener. Errors of the parser come here, and time-outs (interface 21.1, 21.5).
    server.removeAllListeners('clientError').on('clientError', (error, socket) => {
      if (!socket.writable || closing.has(socket)) return
      const refusal = Object.assign(error, { statusCode: 400 })
      const request = connections.unansweredOn(socket).at(-1)
      if (request === undefined) {
        answerAndEnd(socket, errorAnswer(refusal, requestId(undefined)))
        return
      }
      // A client would take this answer for that to its request, which may be a submission that is accepted.
      broken.add(socket)
      if (request.complete) return
      // Its client has left.
      if ('code' in error && error.code === 'HPE_INVALID_EOF_STATE') socket.destroy()
      else endBody(request, refusal)
    })

    let sweep = setInterval(() => connections.closeUnused(), UNUSED_MS).unref()
    let lastBodies: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      clearInterval(sweep)
      sweep = setInterval(() => connections.closeUnused(), UNUSED_WHILE_STOPPING_MS)
      const { meaning } = errorCatalogue.REQUEST_TIMEOUT
      lastBodies = setTimeout(() => {
        for (const request of connections.incomplete()) {
          endBody(request, new ServiceError('REQUEST_TIMEOUT', meaning))
        }
      }, LAST_BODIES_MS)
    })
    app.addHook('onClose', async () => {
      clearInterval(sweep)
      clearTimeout(lastBodies)
    })
  },
  // Its `preClose` runs when those of `drain` and `submissions` are done.
  { name: 'connections', dependencies: ['config', 'drain', 'submissions'] }
)

/** Whether a part of the body has not come yet. Undefined is not: injected requests have no such part. */
function isArriving({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Has the framework answer a request whose body does not arrive, if it still reads it. */
function endBody(request: IncomingMessage, error: Error): void {
  if (request.listenerCount('error') > 0) request.emit('error', error)
}
