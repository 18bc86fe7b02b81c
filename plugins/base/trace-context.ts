import fp from 'fastify-plugin'
import { inTrace, traceOf } from '../../services/trace-context.ts'

/**
 * What a handler does is part of the client's trace (interface 14.16). Not earlier: the body of a request comes in a context of
 * its own.
 */
export default fp(
  async app => {
    app.addHook('preHandler', (request, _reply, done) => {
      const trace = traceOf(request)
      if (trace === undefined) done()
      else inTrace(trace, done)
    })
  },
  { name: 'trace-context' }
)
