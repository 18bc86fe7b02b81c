import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Sets security headers, the request id (interface 14.8) and `no-store` (interface 14.15) on every response, including
 * errors. Helmet's headers are the same for all responses, so its middleware runs once: for each request, it would take
 * as long as routing.
 */
export default fp(
  async app => {
    const setHeaders = helmet({
      // The widget runs on other origins. `cors` and `admission` reject unlisted origins.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // A proxy terminates TLS, and its host might also serve plain HTTP.
      strictTransportSecurity: false,
      // In development, the documentation is served over plain HTTP.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
    })
    const sample = new ServerResponse(new IncomingMessage(new Socket()))
    setHeaders(sample.req, sample, () => {})
    const headers = { ...sample.getHeaders(), 'cache-control': 'no-store' }
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(headers).header('x-request-id', request.id)
      done()
    })
  },
  { name: 'helmet' }
)
