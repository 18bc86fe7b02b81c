import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { serializerOf } from '../../config/fastify-options.ts'
import { probeErrorResponses } from '../../schemas/errors.ts'
import { Readiness } from '../../schemas/readiness.ts'
import { bodyOf, oncePerValue } from '../../services/caches/body.ts'
import { sendBody } from '../send-body.ts'

const schema = {
  operationId: 'getReady',
  summary: 'Is the service ready?',
  description: 'One check per dependency; 503 if a check fails. Has its own rate limit.',
  tags: ['service'],
  response: { ...probeErrorResponses(), 200: Readiness, 503: Readiness }
}

const serialize = serializerOf(Readiness)
const toBody = oncePerValue((readiness: Readiness) => bodyOf(serialize(readiness)))

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { config: { isProbe: true }, schema }, async (_request, reply) => {
    const readiness = await app.readiness()
    return sendBody(reply.code(readiness.ready ? 200 : 503), toBody(readiness))
  })
}

export default routes
