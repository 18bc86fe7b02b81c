import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import helmet from 'helmet'

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every answer, errors too. */
    readonly commonHeaders: Readonly<Record<string, string>>
  }
}

/**
 * The same headers for every answer: helmet's security headers, and that nobody may store the answer (interface 14.15). A
 * route whose answers are the same for all says so in place of that.
 */
export default fp(
  async app => {
    const headers = { ...securityHeaders(), 'cache-control': 'no-store' }
    app.decorate('commonHeaders', headers)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers)
      done()
    })
  },
  { name: 'helmet' }
)

function securityHeaders(): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const setHeaders = helmet({
    // The widget reads the answers from other origins; origin control decides from which.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // TLS ends at a proxy, and in development the documentation is served over plain HTTP.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }
  })
  setHeaders(request, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])
  )
}
