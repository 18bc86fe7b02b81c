import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { connectionTimes } from '../../config/fastify-options.ts'

/** Far more than the number of programs that read metrics. */
const MOST_CONNECTIONS = 100

/** `GET /metrics` on METRICS_PORT, if set (interface 15.11): clients need not be able to reach that port. */
export default fp(
  async app => {
    const { HOST: host, METRICS_PORT: port } = app.config
    if (port === undefined) return
    const { metrics } = app
    const other = Fastify({ ...connectionTimes, http: connectionTimes, forceCloseConnections: true })
    other.server.maxConnections = MOST_CONNECTIONS
    other.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text())
    )
    other.setErrorHandler((err, _request, reply) => {
      app.log.error({ err }, 'metrics could not be collected')
      return reply.code(500).send()
    })

    // Listen before the service does, so that a port in use aborts startup.
    app.addHook('onReady', async () => {
      await other.listen({ host, port })
      app.log.info({ address: other.server.address() }, 'metrics server listening')
    })
    app.addHook('onClose', () => other.close())
  },
  { name: 'metrics-port', dependencies: ['metrics'] }
)
