import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../../schemas/errors.ts'
import { SubmissionParams, SubmissionState } from '../../../schemas/submission.ts'
import { ServiceError } from '../../../services/errors/index.ts'
import { viewOf } from '../../../services/submission/view.ts'

const schema = {
  operationId: 'getSubmission',
  summary: 'State of a submission',
  description:
    'Whether the submission is queued, broadcast in a signed transaction, committed in a block, or rejected by ' +
    'the chain. The submit call returns the `submissionId`, with 200 and 202 alike.',
  tags: ['submit'],
  params: SubmissionParams,
  response: { 200: SubmissionState, ...errorResponses(400, 404) }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/', { schema }, async request => {
    const { submissionId } = request.params
    const submission = await app.submissions.find(submissionId)
    if (submission === undefined)
      throw new ServiceError('NOT_FOUND', `There is no submission ${submissionId}`)
    return viewOf(submission)
  })
}

export default routes
