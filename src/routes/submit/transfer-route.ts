import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { SubmitCommitted, SubmitPending } from '../../schemas/submission.ts'
import { SubmitHeaders, TransferBody } from '../../schemas/submit.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { parties } from '../../services/parties.ts'
import { chainRejected, submissionIdentity } from '../../services/submit.ts'
import { prepareTransfer } from '../../services/transfer.ts'

/** POST of a transfer, which has two paths (spec §4). */
export function transferRoute(operationId: string): FastifyPluginAsyncTypebox {
  return async app => {
    const { requestTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
    app.post(
      '/',
      {
        schema: {
          operationId,
          summary: 'Submit a transfer to the chain',
          description:
            'Puts the transfer on the chain exactly once and waits for its block. A repeated request joins the ' +
            'submission that exists; one that is not decided in time goes on and is answered with 202.',
          tags: ['submit'],
          headers: SubmitHeaders,
          body: TransferBody,
          response: {
            200: SubmitCommitted,
            202: SubmitPending,
            ...errorResponses(400, 409, 413, 415, 503)
          }
        },
        preHandler: [
          app.assertCustomValid,
          async request => app.compliance.assertCompliant(parties(request.body))
        ]
      },
      async (request, reply) => {
        const { feeId, message } = prepareTransfer(request.body, app.signer.address)
        const { submissionId } = await app.submissions.submit({
          identity: submissionIdentity(request.headers['idempotency-key'], feeId),
          typeUrl: requestTransaction.typeUrl,
          message: requestTransaction.encode(message).finish()
        })
        const submission = await app.submissions.settled(submissionId, app.config.SERVICE_SUBMIT_TIMEOUT)
        switch (submission.status) {
          case 'committed':
            return reply.code(200).send({ ...submission, code: 0 })
          case 'rejected':
            throw chainRejected(submission.error)
          default:
            return reply.code(202).send({ submissionId, status: submission.status })
        }
      }
    )
  }
}
