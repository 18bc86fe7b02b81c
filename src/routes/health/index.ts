import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      config: { rateLimit: false },
      schema: {
        operationId: 'getHealth',
        summary: 'Is the process alive?',
        description: 'Liveness only: it asks nothing of anyone. Not rate limited.',
        tags: ['service'],
        response: {
          200: { description: 'Alive', content: { 'text/plain': { schema: Type.Literal('ok') } } }
        }
      }
    },
    async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok')
  )
}

export default routes
