import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { errorResponses } from '../../schemas/errors.ts'
import { SubmitCommitted, SubmitPending } from '../../schemas/submission.ts'
import { type SubmitBody, SubmitHeaders } from '../../schemas/submit.ts'
import type { SubmissionKind } from '../../services/requests/check-submission.ts'
import { acceptSubmission, waitForBlock } from '../../services/requests/submit-and-wait.ts'

/** Who may submit, where SERVICE_ACCESS asks for keys. */
export const submitAccess: FastifyContextConfig = { scopes: ['submit'] }

/** What the schemas of all submit routes have in common. */
export const submitSchema = {
  tags: ['submit'],
  headers: SubmitHeaders,
  response: {
    200: SubmitCommitted,
    202: SubmitPending,
    ...errorResponses(400, 409, 413, 415, 502, 504)
  }
}

/**
 * Checks a submission, puts it on the chain and waits for its block.
 * @returns 200 for a submission that is in a block (interface 6.20), 202 for one that is not yet (interface 6.27) or
 *   whose transaction id is unknown (interface 6.30)
 */
export async function submit<Body extends SubmitBody, Fields extends { fee: string }>(
  request: FastifyRequest & { body: Body; headers: SubmitHeaders },
  kind: SubmissionKind<Body, Fields>
) {
  const { server: app, body, headers } = request
  const idempotencyKey = headers['idempotency-key']
  const requester = { networks: request.networks, requestId: request.id }
  const accepted = await app.checkSubmission(
    body,
    kind,
    // Without one every submission is valid. One that answers undefined has failed.
    submission =>
      app.customTransValidation ? app.customTransValidation(Object.assign(request, { submission })) : '',
    checked => acceptSubmission(app.submissions, checked, { idempotencyKey, requester }),
    request.caller?.name
  )
  request.submissionId = accepted.submissionId
  const submission = await waitForBlock(app.submissions, accepted, app.config.SERVICE_SUBMIT_TIMEOUT)
  if (submission.status === 'committed' && submission.txId !== undefined) {
    return { status: 200, body: { ...submission, txId: submission.txId, code: 0 } } as const
  }
  const { submissionId, status } = submission
  return { status: 202, body: { submissionId, status } } as const
}
