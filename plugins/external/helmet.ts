import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import helmet from 'helmet'

/** Security headers. They are the same in every answer, so helmet is asked for them once. */
export default fp(
  async app => {
    const headers = securityHeaders()
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
