import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../../schemas/errors.ts'
import { EventHeaders, eventResponses } from '../../../../schemas/events.ts'
import { SubmissionParams, SubmissionState } from '../../../../schemas/submission.ts'
import { sendEvents } from '../../../send-events.ts'

const schema = {
  operationId: 'getSubmissionEvents',
  summary: 'State of a submission as it changes',
  description:
    'Server-sent events: the current state, then each change, until the submission is committed or rejected. Each ' +
    'event contains the response of `/submissions/{submissionId}`.',
  tags: ['submit'],
  params: SubmissionParams,
  headers: EventHeaders,
  response: { ...eventResponses(SubmissionState), ...errorResponses(400, 404) }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { schema }, (request, reply) => {
    const { submissionId: id } = request.params
    return sendEvents(request, reply, { kind: 'submission', id, missing: `There is no submission ${id}` })
  })
}

export default routes
