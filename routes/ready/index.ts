import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { probeErrorResponses } from '../../schemas/errors.ts'
import { Readiness } from '../../schemas/readiness.ts'

const schema = {
  operationId: 'getReady',
  summary: 'Is the service ready?',
  description: 'One check per dependency; 503 if a check fails. Has its own rate limit.',
  tags: ['service'],
  response: { ...probeErrorResponses(), 200: Readiness, 503: Readiness }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { config: { isProbe: true }, schema }, async (_request, reply) => {
    const readiness = await app.readiness()
    return reply.code(readiness.ready ? 200 : 503).send(readiness)
  })
}

export default routes
