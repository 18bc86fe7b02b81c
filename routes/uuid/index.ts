import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { uuid } from '../../schemas/leaves.ts'

const schema = {
  operationId: 'getUuid',
  summary: 'A new identifier for a verification session',
  description:
    'A random UUIDv4, the external identifier that the widget needs for KYC. The service does not store it.',
  tags: ['compliance'],
  response: {
    200: { description: 'The identifier', content: { 'text/plain': { schema: uuid() } } },
    ...errorResponses()
  }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { schema }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(randomUUID())
  )
}

export default routes
