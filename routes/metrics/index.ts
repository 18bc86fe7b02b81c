import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { probeErrorResponses } from '../../schemas/errors.ts'

const schema = {
  operationId: 'getMetrics',
  summary: 'Metrics in the text format of Prometheus',
  description:
    'For the operator, not for clients: a public proxy should not forward it. Not served on mainnet, nor if ' +
    '`METRICS_PORT` is set: that port then serves the metrics. Has its own rate limit.',
  tags: ['service'],
  response: {
    200: { description: 'The metrics', content: { 'text/plain': { schema: Type.String() } } },
    ...probeErrorResponses()
  }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  const { config, metrics } = app
  if (config.METRICS_PORT !== undefined || config.SERVICE_ENVIRONMENT === 'mainnet') return
  app.get('/', { config: { isProbe: true }, schema }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text())
  )
}

export default routes
