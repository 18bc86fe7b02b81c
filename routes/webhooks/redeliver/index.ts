import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../schemas/errors.ts'
import { Redelivered, RedeliverRequest } from '../../../schemas/webhooks.ts'
import { ServiceError } from '../../../services/errors/index.ts'

const schema = {
  operationId: 'redeliverWebhooks',
  summary: 'Deliver webhooks again',
  description:
    'Makes webhook events due again, each with its old `webhook-id`: all events of a submission, even delivered ones, ' +
    'or without `submissionId` all failed events. 404 if there is no such event, 501 if no receiver is configured.',
  tags: ['submit'],
  body: RedeliverRequest,
  response: { 200: Redelivered, ...errorResponses(400, 404, 413, 415, 501) }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.post('/', { config: { scopes: ['operate'], isForCallers: true }, schema }, async request => {
    const { submissionId } = request.body
    const events = await app.redeliver(submissionId === undefined ? { state: 'abandoned' } : { submissionId })
    const outcome = events > 0 ? 'done' : 'no such event'
    const actor = `caller ${request.caller?.name}`
    request.log.info({ audit: true, actor, action: 'redeliver', outcome, submissionId }, 'audit')
    if (events === 0) throw new ServiceError('NOT_FOUND', 'There is no matching webhook event')
    return { events }
  })
}

export default routes
