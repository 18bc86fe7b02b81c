import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorResponses } from '../../schemas/errors.ts'
import { SubmitCommitted, SubmitPending } from '../../schemas/submission.ts'
import { SubmitHeaders } from '../../schemas/submit.ts'
import type { MessageType } from '../../services/messages/index.ts'
import { submissionIdentity, submitAndWait } from '../../services/requests/outcome.ts'
import type { Prepared } from '../../services/requests/request.ts'

/** What the schemas of all submit routes have in common. */
export const submitSchema = {
  tags: ['submit'],
  headers: SubmitHeaders,
  response: {
    200: SubmitCommitted,
    202: SubmitPending,
    ...errorResponses(400, 409, 413, 415, 502, 503, 504)
  }
}

/** Its first check has understood the request: fields and options are in order. */
export function understood<Message>(
  request: FastifyRequest,
  type: MessageType<Message>,
  { message, ...rest }: Prepared<Message>
): void {
  request.prepared = { ...rest, typeUrl: type.typeUrl, message: type.encode(message).finish() }
}

/**
 * The checks that follow, as preHandlers in the contract's order (§3, Order of checks): chains, addresses and
 * tokens; the integrator's validation; compliance.
 */
export function furtherChecks(app: FastifyInstance) {
  return [
    async (request: FastifyRequest) => app.routeChecks.assert(preparedOf(request).route),
    app.assertCustomValid,
    async (request: FastifyRequest) => {
      const { origin, target } = preparedOf(request).route
      await app.compliance.assertCompliant({ originAddress: origin.address, targetAddress: target.address })
    }
  ]
}

/** Puts what passed the checks on the chain. */
export async function submitPrepared(app: FastifyInstance, request: FastifyRequest) {
  const { feeId, typeUrl, message } = preparedOf(request)
  const key = request.headers['idempotency-key']
  const identity = submissionIdentity(typeof key === 'string' ? key : undefined, feeId)
  const timeoutMs = app.config.SERVICE_SUBMIT_TIMEOUT
  const submission = await submitAndWait(app.submissions, { identity, typeUrl, message }, timeoutMs)
  if (submission.status === 'committed') return { status: 200, body: { ...submission, code: 0 } } as const
  const { submissionId, status } = submission
  return { status: 202, body: { submissionId, status } } as const
}

function preparedOf(request: FastifyRequest) {
  if (request.prepared === null) throw new Error('The submission reached a check before it was prepared')
  return request.prepared
}
