import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { unlimitedErrorResponses } from '../../schemas/errors.ts'

const schema = {
  operationId: 'getHealth',
  summary: 'Is the process alive?',
  description: 'Liveness only: no dependency is checked. Not rate limited.',
  tags: ['service'],
  response: {
    200: { description: 'Alive', content: { 'text/plain': { schema: Type.Literal('ok') } } },
    ...unlimitedErrorResponses()
  }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { config: { rateLimit: false, isProbe: true }, schema }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('ok')
  )
}

export default routes
