import { once } from 'node:events'
import { createServer } from 'node:http'
import fp from 'fastify-plugin'
import { connectionTimes } from '../../config/fastify-options.ts'
import { createUnreadGuard } from '../../services/http/unread-responses.ts'
import { createMetrics, type Metrics } from '../../services/metrics/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

const MAX_CONNECTIONS = 100

/** `app.metrics`: the service's metrics, also served on METRICS_PORT if it is set (interface 15.10, 15.11). */
export default fp(
  async app => {
    const { HOST, METRICS_PORT } = app.config
    const metrics = createMetrics(app.log.child({ module: 'metrics' }))
    app.decorate('metrics', metrics)
    app.addHook('onResponse', (request, reply, done) => {
      metrics.request(request.method, request.routeOptions.url, reply.statusCode, reply.elapsedTime / 1000)
      done()
    })
    if (METRICS_PORT === undefined) return

    const server = createServer(connectionTimes, async (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404, { connection: 'close' }).end()
        return
      }
      try {
        const text = await metrics.text()
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
      } catch (err) {
        app.log.error({ err }, 'failed to collect metrics')
        response.writeHead(500).end()
      }
    })
    server.maxConnections = MAX_CONNECTIONS
    const unread = createUnreadGuard(() => {})
    server.on('connection', unread.watch)
    // Listen before the service does, so that startup fails if the port is in use.
    app.addHook('onReady', async () => {
      server.listen(METRICS_PORT, HOST)
      await once(server, 'listening')
      app.log.info({ address: server.address() }, 'metrics server listening')
    })
    app.addHook('onClose', async () => {
      unread.stop()
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
    })
  },
  { name: 'metrics', dependencies: ['config'] }
)
