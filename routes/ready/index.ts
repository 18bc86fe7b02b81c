import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { probeErrorResponses } from '../../schemas/errors.ts'
import { Readiness } from '../../schemas/readiness.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      config: { isProbe: true },
      schema: {
        operationId: 'getReady',
        summary: 'Is the service ready?',
        description: 'One check per dependency; 503 when a check fails. Limited apart from the other routes.',
        tags: ['service'],
        response: { ...probeErrorResponses(), 200: Readiness, 503: Readiness }
      }
    },
    async (_request, reply) => {
      const answer = await app.readiness()
      return reply.code(answer.ready ? 200 : 503).send(answer)
    }
  )
}

export default routes
