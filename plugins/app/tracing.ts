import { SpanStatusCode } from '@opentelemetry/api'
import fp from 'fastify-plugin'
import { endSpan, inContext, spanOf } from '../../services/tracing/index.ts'

/** Creates a span for each request, and runs its handler in the request's trace (interface 14.16). */
export default fp(
  async app => {
    app.addHook('onRequest', (request, reply, done) => {
      const { span } = spanOf(request)
      reply.raw.on('close', () => {
        const { statusCode } = reply
        const { url: route } = request.routeOptions
        if (route !== undefined)
          span.updateName(`${request.method} ${route}`).setAttribute('http.route', route)
        if (reply.raw.headersSent) span.setAttribute('http.response.status_code', statusCode)
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        endSpan(span)
      })
      done()
    })
    // Do not use a hook before `preHandler`: reading the body changes the async context.
    app.addHook('preHandler', (request, _reply, done) => inContext(spanOf(request).context, done))
  },
  { name: 'tracing' }
)
