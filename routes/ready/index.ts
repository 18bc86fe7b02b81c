import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { unlimitedErrorResponses } from '../../schemas/errors.ts'
import { Readiness } from '../../schemas/readiness.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      config: { rateLimit: false },
      schema: {
        operationId: 'getReady',
        summary: 'Is the service ready?',
        description: 'One check per dependency; 503 when a check fails. Not rate limited.',
        tags: ['service'],
        response: { ...unlimitedErrorResponses(), 200: Readiness, 503: Readiness }
      }
    },
    async (_request, reply) => {
      const answer = await app.readiness()
      return reply.code(answer.ready ? 200 : 503).send(answer)
    }
  )
}

export default routes
