import type { TSchema } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorStatus } from '../../schemas/error-catalogue.ts'
import { errorResponses } from '../../schemas/errors.ts'
import type { ResponseFormat } from '../../schemas/fee-quote.ts'
import { SubmitPending, submitResult } from '../../schemas/submission.ts'
import { type SubmitBody, SubmitHeaders } from '../../schemas/submit.ts'
import type { SubmissionKind } from '../../services/requests/accept-submission.ts'
import { waitForBlock } from '../../services/requests/wait-for-block.ts'
import type { Submission } from '../../services/submission/contract.ts'

/**
 * The options of a submit route. Callers need the scope `submit` if SERVICE_ACCESS requires keys.
 * @param statuses of further errors
 */
export const submitOptions = <Body extends TSchema>(
  format: ResponseFormat,
  documentation: {
    operationId: string
    hide?: boolean
    summary: string
    description: string
    body: Body
  },
  ...statuses: ErrorStatus[]
) => ({
  config: { scopes: ['submit'] } satisfies FastifyContextConfig,
  schema: {
    ...documentation,
    tags: ['submit'],
    headers: SubmitHeaders,
    response: {
      200: submitResult(format),
      202: SubmitPending,
      ...errorResponses(400, 409, 413, 415, 502, 504, ...statuses)
    }
  }
})

/**
 * Submits to the chain and waits for the block. Responds 200 if the submission is in a block (interface 6.20), or 202 if
 * it is pending (interface 6.27) or its transaction id is unknown (interface 6.30).
 */
export async function submit<Body extends SubmitBody, Fields extends { fee: string }>(
  request: FastifyRequest & { body: Body; headers: SubmitHeaders },
  reply: FastifyReply,
  kind: SubmissionKind<Body, Fields>
): Promise<FastifyReply> {
  const { server: app } = request
  const accepted = await app.acceptSubmission(request.body, kind, {
    // Return '' (valid) if there is no validation. Undefined, as from `?.`, would be an invalid verdict.
    validate: submission =>
      app.customTransValidation ? app.customTransValidation(Object.assign(request, { submission })) : '',
    idempotencyKey: request.headers['idempotency-key'],
    caller: request.caller,
    requester: { shareOf: request.caller && request.client, requestId: request.id }
  })
  return sendOutcome(request, reply, accepted)
}

/** Waits for the block of an accepted submission, and responds. */
export async function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  accepted: Submission
): Promise<FastifyReply> {
  const { server: app } = request
  request.submissionId = accepted.submissionId
  // Subtract the time of the checks, which might have waited for the user's approval.
  const leftMs = Math.max(0, app.config.SERVICE_SUBMIT_TIMEOUT - reply.elapsedTime)
  const submission = await waitForBlock(app.submissions, accepted, leftMs)
  if (submission.status === 'committed' && submission.txId !== undefined) {
    const isForWidget = app.config.SERVICE_RESPONSE_FORMAT === 'widget'
    return reply.send({ ...submission, ...(isForWidget && { code: 0 }) })
  }
  const { submissionId, status } = submission
  return reply.code(202).send({ submissionId, status })
}
