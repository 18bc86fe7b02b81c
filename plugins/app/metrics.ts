import fp from 'fastify-plugin'
import { createMetrics, type Metrics } from '../../services/metrics/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/** `app.metrics`: the service's metrics, including those of each request (interface 15.10). */
export default fp(
  async app => {
    const metrics = createMetrics(app.log.child({ module: 'metrics' }))
    app.decorate('metrics', metrics)
    app.addHook('onResponse', (request, reply, done) => {
      metrics.request(request.method, request.routeOptions.url, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
  },
  { name: 'metrics' }
)
