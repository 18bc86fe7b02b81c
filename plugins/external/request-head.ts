import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import { hasUnreadBody, headRefusal } from '../../services/http/request-head.ts'

/**
 * Refuses requests by their headers, after the rate limit and origin control (interface 3.12 to 3.17). A client that waits
 * for `100 Continue` is not asked for its body before.
 */
export default fp<{ isEmbedded: boolean }>(
  async (app, { isEmbedded }) => {
    const { server, routing } = app
    const waiting = new WeakSet<IncomingMessage>()

    // Node would answer these in forms of its own, or not at all. The routes of another program are left to it.
    if (!isEmbedded) {
      server.on('checkExpectation', routing)
      server.on('checkContinue', (request, response) => {
        waiting.add(request)
        routing(request, response)
      })
      server.on('connect', (_request, socket) => {
        server.emit('clientError', new Error('CONNECT is not supported'), socket)
      })
    }

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
