import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import { hasUnreadBody, headRefusal } from '../../services/http/request-head.ts'

/**
 * Refuses requests by their headers, after the rate limit and origin control (interface 3.12 to 3.17). A client that waits
 * for `100 Continue` is not asked for its body before.
 */
export default fp(
  async app => {
    const waiting = new WeakSet<IncomingMessage>()

    // Node would answer these in forms of its own, or not at all.
    app.server.on('checkExpectation', app.routing)
    app.server.on('checkContinue', (request, response) => {
      waiting.add(request)
      app.routing(request, response)
    })
    app.server.on('connect', (_request, socket) => {
      app.server.emit('clientError', new Error('CONNECT is not supported'), socket)
    })

    app.addHook('onRequest', ({ raw }, reply, done) => {
      if (hasUnreadBody(raw)) reply.header('connection', 'close')
      const refusal = headRefusal(raw)
      if (refusal === undefined && raw.headers.expect !== undefined && waiting.has(raw))
        reply.raw.writeContinue()
      done(refusal)
    })
  },
  { name: 'request-head', dependencies: ['error-handler', 'cors'] }
)
